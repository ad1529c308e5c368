//! Mails as files, for development, demonstrations and tests. It must not know what happens to them.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;
use tokio::task::spawn_blocking;
use tradepost_ports::clock::{Clock, Ids};
use tradepost_ports::mailer::{Mail, MailError, Mailer};

const FOR_ITS_OWNER: u32 = 0o700;
/// What others may do with a folder.
const OPEN_TO_OTHERS: u32 = 0o077;
/// Several users keep files in such a folder.
const STICKY: u32 = 0o1000;

/// Puts each mail into a folder as one JSON file with the texts `to`, `subject`, `text` and `html`.
///
/// File names end in `.json` and sort by the time of sending. A file appears whole, and only its owner can read it: mails
/// hold links that open accounts. Nothing is ever deleted.
pub struct DirectoryMailer {
    directory: PathBuf,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
}

impl DirectoryMailer {
    /// A mailer into `directory`, which is made if it does not exist. It is for this user alone then, whatever it was before.
    ///
    /// # Errors
    /// What the operating system says when the folder cannot be made or closed to others; a folder that several users share, such as
    /// `/tmp`, is not closed.
    pub fn open(directory: PathBuf, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(FOR_ITS_OWNER).create(&directory)?;
        close_to_others(&directory)?;
        Ok(Self { directory, clock, ids })
    }

    /// The folder.
    pub fn directory(&self) -> &Path {
        &self.directory
    }
}

#[async_trait]
impl Mailer for DirectoryMailer {
    async fn send(&self, mail: Mail) -> Result<(), MailError> {
        let directory = self.directory.clone();
        // A UUIDv7 begins with the time and differs from those of other processes that use the folder.
        let name = format!("{:032x}", u128::from_be_bytes(self.ids.next(self.clock.now())));
        let written = spawn_blocking(move || write(&directory, &name, &mail)).await.map_err(io::Error::other);
        written.flatten().map_err(|error| MailError {
            reason: format!("cannot write into {}: {error}", self.directory.display()),
            is_transient: true,
        })
    }
}

fn close_to_others(directory: &Path) -> io::Result<()> {
    let mode = fs::metadata(directory)?.permissions().mode();
    if mode & OPEN_TO_OTHERS == 0 {
        return Ok(());
    }
    if mode & STICKY != 0 {
        return Err(io::Error::other("several users share it"));
    }
    fs::set_permissions(directory, Permissions::from_mode(FOR_ITS_OWNER))
}

/// Writes under a name that no reader looks for, and renames when all is on the disk.
fn write(directory: &Path, name: &str, mail: &Mail) -> io::Result<()> {
    let content = json!({ "to": mail.to.as_str(), "subject": mail.subject, "text": mail.text, "html": mail.html });
    let draft = directory.join(format!("{name}.part"));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
    let written = file.write_all(format!("{content:#}\n").as_bytes()).and_then(|()| file.sync_all());
    if let Err(error) = written.and_then(|()| fs::rename(&draft, directory.join(format!("{name}.json")))) {
        fs::remove_file(&draft)?;
        return Err(error);
    }
    File::open(directory)?.sync_all()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use tempfile::TempDir;
    use tradepost_domain::accounts::email::EmailAddress;
    use tradepost_domain::time::Timestamp;
    use tradepost_ports::clock::RandomIds;

    use super::*;

    /// A fixed clock, so that only the ids can put mails in order.
    struct Stopped;

    impl Clock for Stopped {
        fn now(&self) -> Timestamp {
            Timestamp::from_micros(1_700_000_000_000_000).unwrap()
        }
    }

    fn mailer() -> (TempDir, DirectoryMailer) {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("mails");
        let mailer = DirectoryMailer::open(directory, Arc::new(Stopped), Arc::new(RandomIds::default())).unwrap();
        (folder, mailer)
    }

    fn mail(subject: &str) -> Mail {
        Mail {
            to: EmailAddress::new("ada@example.com").unwrap(),
            subject: subject.to_owned(),
            text: "Grüße\nhttps://trade.example.com/verify#tpe_0".to_owned(),
            html: "<p>Grüße</p>".to_owned(),
        }
    }

    /// The files, by name.
    fn files(mailer: &DirectoryMailer) -> Vec<PathBuf> {
        let mut paths: Vec<_> = fs::read_dir(mailer.directory()).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    }

    #[tokio::test]
    async fn a_mail_becomes_one_file_with_everything_in_it() {
        let (_folder, mailer) = mailer();
        mailer.send(mail("Welcome")).await.unwrap();
        let [path] = files(&mailer).try_into().unwrap();
        let content = fs::read_to_string(&path).unwrap();
        let expected = json!({
            "to": "ada@example.com",
            "subject": "Welcome",
            "text": "Grüße\nhttps://trade.example.com/verify#tpe_0",
            "html": "<p>Grüße</p>",
        });
        assert_eq!(serde_json::from_str::<Value>(&content).unwrap(), expected);
        assert!(content.contains("Grüße"), "the text is not escaped");
    }

    #[tokio::test]
    async fn files_sort_in_the_order_of_sending() {
        let (_folder, mailer) = mailer();
        let subjects: Vec<String> = (0..20).map(|number| format!("mail {number}")).collect();
        for subject in &subjects {
            mailer.send(mail(subject)).await.unwrap();
        }
        let subject_in = |path: &PathBuf| {
            let content: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
            content["subject"].as_str().unwrap().to_owned()
        };
        assert_eq!(files(&mailer).iter().map(subject_in).collect::<Vec<_>>(), subjects);
    }

    #[tokio::test]
    async fn a_mail_is_for_its_owner_alone() {
        let (_folder, mailer) = mailer();
        mailer.send(mail("Welcome")).await.unwrap();
        for path in files(&mailer) {
            assert_eq!(path.extension().unwrap(), "json");
            assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn the_folder_is_made_for_its_owner_alone() {
        let (_folder, mailer) = mailer();
        assert_eq!(fs::metadata(mailer.directory()).unwrap().permissions().mode() & 0o777, 0o700);
    }

    /// Opens a folder that had this mode before; gives its mode after that.
    fn opened_with(mode: u32) -> (io::Result<DirectoryMailer>, u32) {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("mails");
        fs::create_dir(&directory).unwrap();
        fs::set_permissions(&directory, Permissions::from_mode(mode)).unwrap();
        let opened = DirectoryMailer::open(directory.clone(), Arc::new(Stopped), Arc::new(RandomIds::default()));
        (opened, fs::metadata(directory).unwrap().permissions().mode() & 0o7777)
    }

    #[test]
    fn a_folder_that_was_open_to_others_is_closed_to_them() {
        for mode in [0o777, 0o755, 0o770, 0o750, 0o701, 0o700] {
            let (opened, after) = opened_with(mode);
            assert!(opened.is_ok(), "{mode:o}");
            assert_eq!(after, 0o700, "{mode:o}");
        }
    }

    #[test]
    fn a_folder_that_several_users_share_is_refused_and_stays_theirs() {
        let (opened, after) = opened_with(0o1777);
        assert_eq!(opened.err().unwrap().to_string(), "several users share it");
        assert_eq!(after, 0o1777);
    }

    #[tokio::test]
    async fn a_missing_folder_is_reported_and_may_come_back() {
        let (_folder, mailer) = mailer();
        fs::remove_dir(mailer.directory()).unwrap();
        let error = mailer.send(mail("Welcome")).await.unwrap_err();
        assert!(error.is_transient && error.reason.starts_with("cannot write into"), "{error}");
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_reported_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let opened = DirectoryMailer::open(file.join("mails"), Arc::new(Stopped), Arc::new(RandomIds::default()));
        assert!(opened.is_err());
    }
}
