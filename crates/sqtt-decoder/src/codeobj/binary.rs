//! A file that holds code objects, in whatever wrapping.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use object::LittleEndian as LE;
use object::elf::EM_AMDGPU;
use object::read::elf::SectionHeader as _;

use super::bundle;
use super::code_object::CodeObject;
use super::elf::{self, Elf};
use super::error::{Error, Fault, Reason};
use super::input::Input;

/// Where hipcc puts the device code of a host program.
const FATBIN: &str = ".hip_fatbin";

/// A file that was opened to look for code objects in it. It is mapped into memory and never changed.
#[derive(Debug)]
pub struct Binary {
    path: PathBuf,
    input: Input,
}

/// What is in a [`Binary`].
#[derive(Default)]
pub struct Contents<'a> {
    /// The code objects, in the order of the file.
    pub code_objects: Vec<CodeObject<'a>>,
    /// What could not be read. Empty exactly when all was, and there was something.
    pub errors: Vec<Error>,
}

impl Binary {
    /// Opens a file. Pipes and devices are read up to 1 GiB.
    ///
    /// # Errors
    ///
    /// When the system does not let us read it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let input =
            Input::open(path).map_err(|reason| Error { file: path.to_owned(), offset: None, reason })?;
        Ok(Self { path: path.to_owned(), input })
    }

    /// Takes bytes that were read already; `path` is only what errors and names call them.
    ///
    /// ```
    /// use sqtt_decoder::codeobj::Binary;
    ///
    /// let binary = Binary::from_bytes("notes.txt", b"hello".to_vec());
    /// let errors = binary.contents().errors;
    /// assert!(errors[0].to_string().starts_with("notes.txt: at byte 0x0: neither an ELF file"));
    /// ```
    #[must_use]
    pub fn from_bytes(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        Self { path: path.into(), input: Input::Read(bytes) }
    }

    /// The file, as it was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Finds the code objects: the file itself, the entries of the bundle that it is, or those of the
    /// bundles in its `.hip_fatbin` sections.
    #[must_use]
    pub fn contents(&self) -> Contents<'_> {
        let mut contents = Contents::default();
        if let Err(fault) = self.look_into(&mut contents) {
            contents.errors.push(fault.in_file(&self.path));
        }
        if contents.code_objects.is_empty() && contents.errors.is_empty() {
            contents.errors.push(Error { file: self.path.clone(), offset: None, reason: Reason::Empty });
        }
        make_unique(&mut contents.code_objects);
        contents
    }

    fn look_into<'a>(&'a self, contents: &mut Contents<'a>) -> Result<(), Fault> {
        let data = &*self.input;
        if bundle::is_bundle(data) {
            self.take_bundles(0, data, contents);
            return Ok(());
        }
        if !elf::is_elf(data) {
            let start = data[..data.len().min(8)].escape_ascii().to_string();
            return Err(Fault::new(0, Reason::UnknownFormat { start }));
        }
        let elf = Elf::parse(data)?;
        if elf.machine() == EM_AMDGPU {
            match CodeObject::parse(&self.path, 0, None, data) {
                Ok(code_object) => contents.code_objects.push(code_object),
                Err(error) => contents.errors.push(error),
            }
            return Ok(());
        }
        let mut sections = elf.sections(FATBIN)?;
        if sections.is_empty() {
            return Err(Fault::new(0, Reason::NoFatbin { machine: elf.machine() }));
        }
        // Sections that lie over each other are forged, and would be searched again and again.
        sections.sort_by_key(|section| section.sh_offset(LE));
        let mut end = 0;
        for header in sections {
            let section = match elf.contents(FATBIN, header) {
                Ok(section) if section.offset < end => {
                    let fault = Fault::elf(section.offset, format!("{FATBIN} sections overlap"));
                    contents.errors.push(fault.in_file(&self.path));
                    continue;
                }
                Ok(section) => section,
                Err(fault) => {
                    contents.errors.push(fault.in_file(&self.path));
                    continue;
                }
            };
            end = section.offset + section.data.len() as u64;
            self.take_bundles(section.offset, section.data, contents);
        }
        Ok(())
    }

    /// The entries of all bundles in `data`, which starts at `base` of the file.
    fn take_bundles<'a>(&'a self, base: u64, data: &'a [u8], contents: &mut Contents<'a>) {
        let found = bundle::search(data);
        for entry in found.entries {
            match CodeObject::parse(&self.path, base + entry.offset, Some(entry.id), entry.data) {
                Ok(code_object) => contents.code_objects.push(code_object),
                Err(error) => contents.errors.push(error),
            }
        }
        let faults = found.faults.into_iter();
        contents.errors.extend(faults.map(|fault| fault.shifted(base).in_file(&self.path)));
    }
}

/// Tells code objects of one name apart by their offsets.
fn make_unique(code_objects: &mut [CodeObject<'_>]) {
    let mut counts = HashMap::<String, usize>::new();
    for code_object in code_objects.iter() {
        *counts.entry(code_object.name.clone()).or_default() += 1;
    }
    for code_object in code_objects {
        if counts.get(&code_object.name).is_some_and(|&count| count > 1) {
            code_object.name = format!("{}@{:#x}", code_object.name, code_object.offset());
        }
    }
}
