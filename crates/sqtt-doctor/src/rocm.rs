//! ROCm and its profiler.

use std::path::PathBuf;

use serde::Serialize;

use crate::programs::on_path;
use crate::{Finding, Level};

/// ROCm, as far as it is there.
#[derive(Debug, Serialize)]
pub(crate) struct Rocm {
    /// Its folder.
    pub(crate) root: Option<PathBuf>,
    /// `7.0.2`.
    pub(crate) version: Option<String>,
    pub(crate) rocprofv3: Option<PathBuf>,
}

impl Rocm {
    /// Finds ROCm where `ROCM_PATH` says, else in its usual place.
    pub(crate) fn find() -> Self {
        let named = std::env::var_os("ROCM_PATH").filter(|path| !path.is_empty()).map(PathBuf::from);
        let root = named.or_else(|| Some(PathBuf::from("/opt/rocm"))).filter(|root| root.is_dir());
        let version = root.as_ref().and_then(|root| {
            let text = std::fs::read_to_string(root.join(".info/version")).ok()?;
            Some(text.trim().to_owned()).filter(|version| !version.is_empty())
        });
        let own = root.as_ref().map(|root| root.join("bin/rocprofv3")).filter(|path| path.is_file());
        Self { version, rocprofv3: own.or_else(|| on_path("rocprofv3")), root }
    }

    pub(crate) fn tell(&self, findings: &mut Vec<Finding>) {
        let of = match (&self.root, &self.version) {
            (Some(root), Some(version)) => format!("ROCm {version} in {}", root.display()),
            (Some(root), None) => format!("{} (which does not say its version)", root.display()),
            (None, _) => "no ROCm".to_owned(),
        };
        findings.push(match &self.rocprofv3 {
            Some(path) => Finding::new("rocprofv3", Level::Ok, format!("{}; {of}", path.display())),
            None => Finding::new("rocprofv3", Level::Warning, format!("not found, which takes traces; {of}"))
                .mended_by("install rocprofiler-sdk on the machine with the GPU, or set ROCM_PATH"),
        });
    }
}
