//! Tuned numbers: how each part declares its own, and how a build for tuning sets them by name.
//!
//! A part lists its numbers in a file `params.rs`, by the macro `parameters`. Each becomes a
//! function: a constant one, unless the cargo feature `tune` is on. With it they have names and can be
//! set: `engine::set_parameters`, which `main` calls once at the start with what the environment says.

mod error;
#[cfg(any(test, feature = "tune"))]
mod named;

pub use error::ParameterError;
#[cfg(any(test, feature = "tune"))]
pub(crate) use named::Parameter;
#[cfg(any(test, feature = "tune"))]
pub(crate) use named::Variant;
#[cfg(feature = "tune")]
pub(crate) use named::{list, set};

/// Declares the tuned numbers of a part: `name: type = value, least..=most;`, or `name[Key]: type = [values],
/// least..=most;` for one number for each `Key`, such as a rank.
macro_rules! parameters {
    ($part:literal; $($(#[$doc:meta])* $vis:vis $name:ident $([$key:ty])?: $type:ty = $value:expr, $range:expr;)*) => {
        $($crate::params::parameter! { $(#[$doc])* $vis $name $([$key])?: $type = $value })*

        #[cfg(any(test, feature = "tune"))]
        mod named {
            #[allow(unused_imports, reason = "keys and ranges name what the part has in scope")]
            use super::*;

            $($crate::params::named_parameter! { $part $name $([$key])?: $type = $value, $range })*
        }

        /// The numbers of this part by name.
        #[cfg(any(test, feature = "tune"))]
        pub(crate) static PARAMETERS: &[&$crate::params::Parameter] = &[$(&named::$name),*];
    };
}

/// The function that tells a number.
macro_rules! parameter {
    ($(#[$doc:meta])* $vis:vis $name:ident: $type:ty = $value:expr) => {
        $(#[$doc])*
        #[cfg(not(any(test, feature = "tune")))]
        #[inline]
        $vis const fn $name() -> $type {
            $value
        }

        $(#[$doc])*
        #[cfg(any(test, feature = "tune"))]
        $vis fn $name() -> $type {
            named::$name.value(0).map_or($value, |value| value as $type)
        }
    };
    ($(#[$doc:meta])* $vis:vis $name:ident[$key:ty]: $type:ty = $value:expr) => {
        $(#[$doc])*
        #[cfg(not(any(test, feature = "tune")))]
        #[inline]
        $vis const fn $name(key: $key) -> $type {
            const VALUES: [$type; <$key>::ALL.len()] = $value;
            VALUES[key.index()]
        }

        $(#[$doc])*
        #[cfg(any(test, feature = "tune"))]
        $vis fn $name(key: $key) -> $type {
            const VALUES: [$type; <$key>::ALL.len()] = $value;
            named::$name.value(key.index()).map_or(VALUES[key.index()], |value| value as $type)
        }
    };
}

/// Declares a tuned number as something that has a name and can be set.
#[cfg(any(test, feature = "tune"))]
macro_rules! named_parameter {
    ($part:literal $name:ident: $type:ty = $value:expr, $range:expr) => {
        #[allow(non_upper_case_globals, reason = "called as the function is")]
        pub(super) static $name: $crate::params::Parameter = $crate::params::Parameter {
            name: concat!($part, ".", stringify!($name)),
            values: {
                static VALUES: [std::sync::atomic::AtomicU64; 1] = [$crate::params::Parameter::unset()];
                &VALUES
            },
            given: |_| $value as f64,
            key: |_| String::new(),
            range: || (f64::from(*$range.start()), f64::from(*$range.end())),
            whole: stringify!($type).as_bytes()[0] != b'f',
        };
    };
    ($part:literal $name:ident[$key:ty]: $type:ty = $value:expr, $range:expr) => {
        #[allow(non_upper_case_globals, reason = "called as the function is")]
        pub(super) static $name: $crate::params::Parameter = $crate::params::Parameter {
            name: concat!($part, ".", stringify!($name)),
            values: {
                static VALUES: [std::sync::atomic::AtomicU64; <$key>::ALL.len()] =
                    [const { $crate::params::Parameter::unset() }; <$key>::ALL.len()];
                &VALUES
            },
            given: |index| {
                const VALUES: [$type; <$key>::ALL.len()] = $value;
                f64::from(VALUES[index])
            },
            key: |index| format!(".{}", <$key>::ALL[index]),
            range: || (f64::from(*$range.start()), f64::from(*$range.end())),
            whole: stringify!($type).as_bytes()[0] != b'f',
        };
    };
}

#[cfg(any(test, feature = "tune"))]
pub(crate) use named_parameter;
pub(crate) use {parameter, parameters};
