//! Debug locations, and the rows of a module's named metadata.

use super::{Module, Value, changes, shim};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};
use std::ffi::c_char;

/// A metadata node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct MetadataValue(pub(super) LLVMMetadataRef);

/// A source position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Location(pub(super) MetadataValue);

impl Location {
    /// `file:line` where the code was written (not where it was inlined), as the debug information spells the file.
    pub(crate) fn file_and_line(self) -> Option<String> {
        // SAFETY: live location (module rule 1).
        let (scope, line) = unsafe { (LLVMDILocationGetScope(self.0.0), LLVMDILocationGetLine(self.0.0)) };
        let file = MetadataValue(scope).file_name()?;
        Some(format!("{file}:{line}"))
    }

    /// `file:line:column`, without the column where that is not known.
    pub(super) fn file_line_column(self) -> Option<String> {
        let place = self.file_and_line()?;
        // SAFETY: live location (module rule 1).
        let column = unsafe { LLVMDILocationGetColumn(self.0.0) };
        Some(if column == 0 { place } else { format!("{place}:{column}") })
    }

    /// The location, and those of the calls that it was inlined from.
    pub(super) fn frames(self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self), |location| {
            // SAFETY: live location (module rule 1).
            let outer = unsafe { LLVMDILocationGetInlinedAt(location.0.0) };
            (!outer.is_null()).then_some(Self(MetadataValue(outer)))
        })
    }

    /// The inline chain, innermost first: `file:line -> file:line`, as the funcmap spells it.
    pub(crate) fn chain(self) -> Option<String> {
        let places: Option<Vec<String>> = self.frames().map(Self::file_and_line).collect();
        Some(places?.join(" -> "))
    }
}

impl MetadataValue {
    /// The file of a scope, as the debug information spells it.
    fn file_name(self) -> Option<String> {
        if self.0.is_null() {
            return None;
        }
        // SAFETY: live scope (module rule 1).
        let file = unsafe { LLVMDIScopeGetFile(self.0) };
        (!file.is_null()).then(|| Self(file).own_file_name())
    }

    /// The name of a file, as the debug information spells it.
    pub(super) fn own_file_name(self) -> String {
        let mut length = 0;
        // SAFETY: live file (module rule 1); the text is copied while the context holds it.
        unsafe {
            let text: *const c_char = LLVMDIFileGetFilename(self.0, &raw mut length);
            let text = std::slice::from_raw_parts(text.cast::<u8>(), length as usize);
            String::from_utf8_lossy(text).into_owned()
        }
    }

    /// `file:line` of a subprogram.
    pub(crate) fn subprogram_location(self) -> Option<String> {
        let file = self.file_name()?;
        // SAFETY: live subprogram (module rule 1).
        let line = unsafe { LLVMDISubprogramGetLine(self.0) };
        Some(format!("{file}:{line}"))
    }
}

/// A field in a row of named metadata.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum MetadataField {
    /// Any bytes.
    Text(Vec<u8>),
    /// A number.
    Number(u32),
}

impl Module {
    /// The rows of a named node; `None` when the module has no such node.
    pub(crate) fn named_metadata(self, name: &str) -> Option<Vec<Vec<MetadataField>>> {
        let name = std::ffi::CString::new(name).ok()?;
        // SAFETY: live module (module rule 1); the buffer holds as many operands as LLVM said it would write.
        unsafe {
            let node = LLVMGetNamedMetadata(self.raw(), name.as_ptr(), name.as_bytes().len());
            if node.is_null() {
                return None;
            }
            let count = LLVMGetNamedMetadataNumOperands(self.raw(), name.as_ptr());
            let mut rows: Vec<LLVMValueRef> = vec![std::ptr::null_mut(); count as usize];
            LLVMGetNamedMetadataOperands(self.raw(), name.as_ptr(), rows.as_mut_ptr());
            Some(rows.into_iter().map(|row| read_row(row)).collect())
        }
    }

    /// Writes a named node anew.
    pub(crate) fn set_named_metadata(self, name: &str, rows: &[Vec<MetadataField>]) {
        self.erase_named_metadata(name);
        changes::note();
        let Ok(c_name) = std::ffi::CString::new(name) else { return };
        // SAFETY: live module (module rule 1); every node is made in the module's own context.
        unsafe {
            let context = LLVMGetModuleContext(self.raw());
            LLVMGetOrInsertNamedMetadata(self.raw(), c_name.as_ptr(), c_name.as_bytes().len());
            for row in rows {
                let mut fields: Vec<LLVMMetadataRef> = row
                    .iter()
                    .map(|field| match field {
                        MetadataField::Text(text) => {
                            LLVMMDStringInContext2(context, text.as_ptr().cast(), text.len())
                        }
                        MetadataField::Number(number) => {
                            let int = LLVMConstInt(LLVMInt32TypeInContext(context), u64::from(*number), 0);
                            LLVMValueAsMetadata(int)
                        }
                    })
                    .collect();
                let node = LLVMMDNodeInContext2(context, fields.as_mut_ptr(), fields.len());
                LLVMAddNamedMetadataOperand(self.raw(), c_name.as_ptr(), LLVMMetadataAsValue(context, node));
            }
        }
    }

    /// Removes a named node. Returns true if there was one.
    pub(crate) fn erase_named_metadata(self, name: &str) -> bool {
        // SAFETY: live module (module rule 1); name and length agree.
        let was_there =
            unsafe { shim::sqtt_shim_erase_named_metadata(self.raw(), name.as_ptr().cast(), name.len()) };
        if was_there {
            changes::note();
        }
        was_there
    }
}

/// LLVM's number of a kind of metadata.
///
/// # Safety
/// `context` is live.
pub(super) unsafe fn kind(context: LLVMContextRef, name: &str) -> u32 {
    // SAFETY: by the caller; name and length agree.
    unsafe { LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), name.len() as u32) }
}

/// Puts a node of one field on a global.
///
/// # Safety
/// `global` and `field` are live values of one context.
pub(super) unsafe fn attach(global: LLVMValueRef, name: &str, field: LLVMValueRef) {
    changes::note();
    // SAFETY: by the caller; the node is made in the global's own context.
    unsafe {
        let context = LLVMGetTypeContext(LLVMTypeOf(global));
        let mut fields = [LLVMValueAsMetadata(field)];
        LLVMGlobalSetMetadata(
            global,
            kind(context, name),
            LLVMMDNodeInContext2(context, fields.as_mut_ptr(), 1),
        );
    }
}

/// The node of a kind on a global.
///
/// # Safety
/// `global` is a live global.
pub(super) unsafe fn attached(global: LLVMValueRef, name: &str) -> Option<LLVMMetadataRef> {
    // SAFETY: by the caller; the entries are LLVM's and are given back.
    unsafe {
        let kind = kind(LLVMGetTypeContext(LLVMTypeOf(global)), name);
        let mut count = 0;
        let entries = LLVMGlobalCopyAllMetadata(global, &raw mut count);
        let node = (0..count as u32)
            .find(|index| LLVMValueMetadataEntriesGetKind(entries, *index) == kind)
            .map(|index| LLVMValueMetadataEntriesGetMetadata(entries, index));
        LLVMDisposeValueMetadataEntries(entries);
        node
    }
}

/// Reads a node of strings and numbers; other operands read as an empty text.
///
/// # Safety
/// `row` is a live metadata node as a value.
pub(super) unsafe fn read_row(row: LLVMValueRef) -> Vec<MetadataField> {
    // SAFETY: by the caller; the buffer holds as many operands as LLVM said it would write.
    let fields = unsafe {
        let mut fields = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(row) as usize];
        LLVMGetMDNodeOperands(row, fields.as_mut_ptr());
        fields
    };
    fields
        .into_iter()
        .map(|field: LLVMValueRef| {
            if field.is_null() {
                return MetadataField::Text(Vec::new());
            }
            let mut length = 0;
            // SAFETY: a live operand; a string is copied while the context holds it.
            let text = unsafe { LLVMGetMDString(field, &raw mut length) };
            if !text.is_null() {
                // SAFETY: LLVM gave pointer and length together.
                let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length as usize) };
                return MetadataField::Text(bytes.to_vec());
            }
            match Value(field).as_int() {
                Some(number) => MetadataField::Number(u32::try_from(number).unwrap_or(u32::MAX)),
                None => MetadataField::Text(Vec::new()),
            }
        })
        .collect()
}
