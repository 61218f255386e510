//! Values of both sides as records hold them: a plain array, Red's first.

use outflank::rules::BySide;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes the array.
///
/// # Errors
/// If a value cannot be written.
pub fn serialize<T: Serialize, S: Serializer>(values: &BySide<T>, writer: S) -> Result<S::Ok, S::Error> {
    values.as_array().serialize(writer)
}

/// Reads the array.
///
/// # Errors
/// If there are not two values that can be read.
pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(reader: D) -> Result<BySide<T>, D::Error> {
    <[T; 2]>::deserialize(reader).map(BySide::new)
}
