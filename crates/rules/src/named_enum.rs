//! Enums whose variants have words: all of them, the word of each, and which one a word is, from one list.

/// Declares an enum with a word for each variant, `ALL` in the order of the list and `name`. Where the enum's name is
/// followed by `(exactly)` or `(in any case)`, words are read back by `from_name`, in that way.
#[macro_export]
#[doc(hidden)]
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident $(($($reading:ident)+))? {
            $($(#[$doc:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$meta])*
        $vis enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// All of them, in order.
            $vis const ALL: [$name; [$($word),+].len()] = [$($name::$variant),+];

            /// Its word in texts.
            $vis const fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }

            $($crate::named_enum::from_name! { $vis $name $($reading)+ })?
        }
    };
}

/// The function that reads a word back.
#[macro_export]
#[doc(hidden)]
macro_rules! from_name {
    ($vis:vis $name:ident exactly) => {
        /// The one that this word names.
        $vis fn from_name(word: &str) -> Option<$name> {
            $name::ALL.into_iter().find(|one| one.name() == word)
        }
    };
    ($vis:vis $name:ident in any case) => {
        /// The one that this word names, in capitals or not.
        $vis fn from_name(word: &str) -> Option<$name> {
            $name::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(word))
        }
    };
}

pub use {from_name, named_enum};

#[cfg(test)]
mod tests {
    super::named_enum! {
        /// Colours.
        #[derive(Copy, Clone, Debug, Eq, PartialEq)]
        enum Colour (exactly) {
            Red = "red",
            Blue = "blue",
        }
    }

    super::named_enum! {
        /// Sizes.
        #[derive(Copy, Clone, Debug, Eq, PartialEq)]
        enum Size (in any case) {
            Small = "small",
            Large = "large",
        }
    }

    #[test]
    fn every_word_reads_back_as_its_variant_and_no_other_does() {
        assert_eq!(Colour::ALL, [Colour::Red, Colour::Blue]);
        assert_eq!(Colour::ALL.map(|colour| Colour::from_name(colour.name())), Colour::ALL.map(Some));
        assert_eq!(["Red", "", "green"].map(Colour::from_name), [None; 3]);
        assert_eq!(Size::ALL.map(Size::name), ["small", "large"]);
        assert_eq!(
            ["SMALL", "Large", "larg"].map(Size::from_name),
            [Some(Size::Small), Some(Size::Large), None]
        );
    }
}
