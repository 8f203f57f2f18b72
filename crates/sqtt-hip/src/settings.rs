//! The settings of a simulated run: `sqtt run` writes them into the environment, the library reads them there.

use std::path::PathBuf;

use sqtt_sim::Target;

use crate::profile;

/// The prefix of the variables.
const PREFIX: &str = "SQTT_RUN_";

/// A setting that cannot be.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SettingsError(String);

/// Settings of a run. [`Settings::variables`] and [`Settings::from_variables`] are each other's opposite.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The simulated GPU.
    pub target: Target,
    /// The number of simulated devices.
    pub devices: usize,
    /// Threads that simulate; 0 means one per core.
    pub threads: usize,
    /// Wave-instructions that one workgroup may execute; `None` for the simulator's default.
    pub max_steps: Option<u64>,
    /// Records of a dispatch that a trace may have; `None` for the simulator's default.
    pub max_records: Option<u64>,
    /// Waves that have ended count as arrived at barriers.
    pub ended_waves_pass_barriers: bool,
    /// Reads of device memory that nothing wrote are errors.
    pub check_uninitialized: bool,
    /// The folder that gets a trace folder per dispatch.
    pub trace: Option<PathBuf>,
    /// The database of dispatches, copies, calls and counters.
    pub rocpd: Option<PathBuf>,
    /// The file that gets a line per dispatch with a hash of the devices' memory.
    pub digests: Option<PathBuf>,
    /// Names of counters for the database, with commas between them.
    pub counters: Option<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            target: Target::Gfx942,
            devices: 1,
            threads: 0,
            max_steps: None,
            max_records: None,
            ended_waves_pass_barriers: false,
            check_uninitialized: false,
            trace: None,
            rocpd: None,
            digests: None,
            counters: None,
        }
    }
}

impl Settings {
    /// Checks what can be checked before the program starts.
    ///
    /// # Errors
    /// A text that says what is wrong and what would be right.
    pub fn check(&self) -> Result<(), SettingsError> {
        profile::wanted(self.counters.as_deref()).map_err(SettingsError)?;
        for path in self.rocpd.iter().chain(&self.digests) {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            if folder.is_some_and(|folder| !folder.is_dir()) {
                return Err(SettingsError(format!("{}: its folder is not there", path.display())));
            }
        }
        if let Some(path) = self.rocpd.as_ref().filter(|path| path.exists()) {
            return Err(SettingsError(format!("{} is there already: name another file", path.display())));
        }
        match self.trace.as_ref().and_then(|folder| folder.read_dir().ok()?.next()) {
            Some(_) => {
                Err(SettingsError("the folder of the traces is not empty: name another one".to_owned()))
            }
            None => Ok(()),
        }
    }

    /// Environment variables that say all settings, those at their defaults too.
    pub fn variables(&self) -> Vec<(String, std::ffi::OsString)> {
        let mut all = vec![
            ("TARGET", self.target.name().into()),
            ("DEVICES", self.devices.to_string().into()),
            ("THREADS", self.threads.to_string().into()),
        ];
        if let Some(steps) = self.max_steps {
            all.push(("MAX_STEPS", steps.to_string().into()));
        }
        if let Some(records) = self.max_records {
            all.push(("MAX_RECORDS", records.to_string().into()));
        }
        if self.ended_waves_pass_barriers {
            all.push(("ENDED_WAVES_PASS_BARRIERS", "1".into()));
        }
        if self.check_uninitialized {
            all.push(("CHECK_UNINITIALIZED", "1".into()));
        }
        all.extend(self.trace.iter().map(|path| ("TRACE", path.into())));
        all.extend(self.digests.iter().map(|path| ("DIGESTS", path.into())));
        all.extend(self.rocpd.iter().map(|path| ("ROCPD", path.into())));
        all.extend(self.counters.iter().map(|names| ("COUNTERS", names.into())));
        all.into_iter().map(|(name, value)| (format!("{PREFIX}{name}"), value)).collect()
    }

    /// Settings from variables, by a function that looks one up. Values that cannot be read leave the default, and
    /// come back as messages.
    pub fn from_variables(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> (Settings, Vec<String>) {
        let get = |name: &str| variable(&format!("{PREFIX}{name}"));
        let mut wrong = Vec::new();
        let mut settings = Settings::default();
        read(&get, "TARGET", &mut settings.target, &mut wrong);
        read(&get, "DEVICES", &mut settings.devices, &mut wrong);
        read(&get, "THREADS", &mut settings.threads, &mut wrong);
        let mut steps = 0;
        if read(&get, "MAX_STEPS", &mut steps, &mut wrong) {
            settings.max_steps = Some(steps);
        }
        let mut records = 0;
        if read(&get, "MAX_RECORDS", &mut records, &mut wrong) {
            settings.max_records = Some(records);
        }
        let is_on = |name: &str| get(name).is_some_and(|value| value == "1");
        settings.ended_waves_pass_barriers = is_on("ENDED_WAVES_PASS_BARRIERS");
        settings.check_uninitialized = is_on("CHECK_UNINITIALIZED");
        settings.trace = get("TRACE").map(PathBuf::from);
        settings.digests = get("DIGESTS").map(PathBuf::from);
        settings.rocpd = get("ROCPD").map(PathBuf::from);
        settings.counters = get("COUNTERS").and_then(|names| names.into_string().ok());
        if settings.devices == 0 || settings.devices > 64 {
            wrong.push(format!("{PREFIX}DEVICES={}: 1 to 64 are possible", settings.devices));
            settings.devices = 1;
        }
        (settings, wrong)
    }
}

/// Reads one variable. Returns true if it was there and right.
fn read<T: std::str::FromStr<Err: std::fmt::Display>>(
    get: &impl Fn(&str) -> Option<std::ffi::OsString>,
    name: &str,
    place: &mut T,
    wrong: &mut Vec<String>,
) -> bool {
    let Some(text) = get(name) else { return false };
    match text.to_string_lossy().parse() {
        Ok(value) => {
            *place = value;
            true
        }
        Err(error) => {
            wrong.push(format!("{PREFIX}{name}={}: {error}", text.to_string_lossy()));
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_say_all_settings() {
        let settings = Settings {
            target: Target::Gfx1100,
            devices: 4,
            threads: 3,
            max_steps: Some(7),
            max_records: Some(8),
            ended_waves_pass_barriers: true,
            check_uninitialized: true,
            trace: Some("a b".into()),
            rocpd: Some("x.db".into()),
            digests: Some("digests".into()),
            counters: Some("SQ_WAVES,SQ_INSTS_VALU".to_owned()),
        };
        let variables = settings.variables();
        let find = |name: &str| Some(variables.iter().find(|(n, _)| n == name)?.1.clone());
        assert_eq!(Settings::from_variables(find), (settings, Vec::new()));
        assert_eq!(Settings::from_variables(|_| None), (Settings::default(), Vec::new()));
    }

    #[test]
    fn a_wrong_value_is_said_and_leaves_the_default() {
        let (settings, wrong) =
            Settings::from_variables(|name| name.ends_with("TARGET").then(|| "gfx1".into()));
        assert_eq!(settings.target, Target::Gfx942);
        assert!(wrong[0].contains("SQTT_RUN_TARGET=gfx1"), "{wrong:?}");
    }
}
