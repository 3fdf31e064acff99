// src/lib.rs@MARK@
//! @PREFIX@: inference of @MODEL@ in @ARENA@ bytes of RAM, without heap and without `std`.
//!
//! The network works in an [`Arena`]@ARENAS_DOC@ of the caller's, its only state: one is enough, several may run side by side.
#![no_std]
#![allow(non_snake_case)]

use core::ffi::c_void;

pub const WEIGHTS_BYTES: usize = @WEIGHTS@;
pub const STEPS: u32 = @STEPS@;
@CONSTANTS@
/// Why a run did not end as it should; `@PREFIX@_status` in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    Null,
    Align,
    Step,
    /// The data ask for what the plan has no room for.
    Data,
    /// The slice is no whole number of lines.
    Lines,
    Other(i32),
}

fn check(status: i32) -> Result<(), Error> {
    match status {
        0 => Ok(()),
        -1 => Err(Error::Null),
        -2 => Err(Error::Align),
        -3 => Err(Error::Step),
        -4 => Err(Error::Data),
        other => Err(Error::Other(other)),
    }
}

@ARENAS@
extern "C" {
@EXTERN@}

/// One network with its memory.
pub struct Network<'a> {
@FIELDS@}

// The pointers are those of memory that the network has borrowed.
unsafe impl Send for Network<'_> {}

impl<'a> Network<'a> {
    /// Takes the memory, whatever it holds, for as long as the network lives.
    pub fn new(@NEW_PARAMETERS@) -> Self {
        @NEW@
    }

@METHODS@}
