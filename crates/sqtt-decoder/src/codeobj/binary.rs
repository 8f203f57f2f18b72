//! A file that holds code objects, in whatever wrapping.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::code_object::CodeObject;
use super::error::{Error, Reason};
use super::funcmap::CodeObjectFuncmap;
use super::input::Input;
use super::place::FilePlace;
use super::walk::Walk;

/// A file that was opened to look for code objects in it. It is mapped into memory and never changed.
#[derive(Debug)]
pub struct Binary {
    path: PathBuf,
    input: Input,
}

/// Contents of a [`Binary`].
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Contents<'a> {
    /// The code objects, in the order of the file.
    pub code_objects: Vec<CodeObject<'a>>,
    /// Parts that could not be read. Empty exactly when all was, and there was something.
    pub errors: Vec<Error>,
}

/// The funcmaps of a [`Binary`].
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Funcmaps {
    /// One per code object, in the order of the file.
    pub maps: Vec<CodeObjectFuncmap>,
    /// Parts that could not be read. Empty exactly when all was, and there was something.
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
        let input = Input::open(path).map_err(|reason| Error::of_file(path, reason))?;
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

    /// Finds the code objects: the file itself, those of its sections, bundles, archives, and so on, as the
    /// [module](super) says.
    ///
    /// Unpacks everything compressed at once: [`each`](Self::each) holds one bundle at a time.
    #[must_use]
    pub fn contents(&self) -> Contents<'_> {
        let mut contents = Contents::default();
        self.each(|found| match found {
            Ok(code_object) => contents.code_objects.push(code_object),
            Err(error) => contents.errors.push(error),
        });
        let names = contents.code_objects.iter_mut();
        let mut names: Vec<_> = names
            .map(|code_object| (code_object.name().to_owned(), code_object.suffix(), code_object))
            .collect();
        make_unique(&mut names, |(name, suffix, _)| (name, suffix));
        for (name, _, code_object) in names {
            code_object.set_name(name);
        }
        contents
    }

    /// Gives every code object, and what could not be read, to `take`, in the order of the file. What was
    /// unpacked for one bundle is let go before the next, unless `take` keeps its code objects.
    ///
    /// Names are those of [`contents`](Self::contents) without the place that tells equal ones apart.
    pub fn each<'a>(&'a self, mut take: impl FnMut(Result<CodeObject<'a>, Error>)) {
        let mut any = false;
        let mut note = |found| {
            any = true;
            take(found);
        };
        Walk::file(&self.input, &FilePlace::start(&self.path), &mut note);
        if !any {
            take(Err(Error::of_file(&self.path, Reason::Empty)));
        }
    }

    /// The funcmaps of all code objects, named as in [`contents`](Self::contents), and what could not be read.
    #[must_use]
    pub fn funcmaps(&self) -> Funcmaps {
        let mut funcmaps = Funcmaps::default();
        let mut suffixes = Vec::new();
        self.each(|found| {
            match found.and_then(|code_object| Ok((code_object.funcmap()?, code_object.suffix()))) {
                Ok((funcmap, suffix)) => {
                    funcmaps.maps.push(funcmap);
                    suffixes.push(suffix);
                }
                Err(error) => funcmaps.errors.push(error),
            }
        });
        let mut names: Vec<_> =
            funcmaps.maps.iter_mut().map(|map| &mut map.code_object).zip(suffixes).collect();
        make_unique(&mut names, |(name, suffix)| (name, suffix));
        funcmaps
    }
}

/// Tells what has one name apart by where it is.
fn make_unique<T>(all: &mut [T], parts: impl Fn(&mut T) -> (&mut String, &mut String)) {
    let mut counts = HashMap::<String, usize>::new();
    for each in all.iter_mut() {
        *counts.entry(parts(each).0.clone()).or_default() += 1;
    }
    for each in all {
        let (name, suffix) = parts(each);
        if counts.get(name.as_str()).is_some_and(|&count| count > 1) {
            name.push_str(suffix);
        }
    }
}
