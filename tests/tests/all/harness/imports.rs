//! Imports of a world.

use serde_json::json;
use tradepost_domain::id::{AccountId, ImportId, WorkspaceId};
use tradepost_domain::trading::import::{ImportFormat, ImportKind, ImportStatus};
use tradepost_operations::Caller;
use tradepost_operations::trading::{
    ApplyImport, CreateImport, DefaultsOfImport, GetImport, ListImportRows, ListImports,
};

use super::World;
use super::accounts::acknowledge_risks;

impl World {
    /// The import of the account of this number, which is checked and not applied.
    pub(crate) async fn import_of(&self, workspace_id: WorkspaceId, number: u32) -> ImportId {
        let (operations, system) = (self.app.operations(), Caller::system());
        let name = format!("import-{number}");
        let list = ListImports { workspace_id, limit: 0, cursor: String::new(), status: Some(ImportStatus::Checked) };
        let known = operations.list_imports(&system, list).await.unwrap().entries;
        for import_id in known {
            let import = operations.get_import(&system, GetImport { workspace_id, import_id }).await.unwrap().value;
            if import.name.is_some_and(|known| known.as_str() == name) {
                return import_id;
            }
        }
        acknowledge_risks(operations, workspace_id).await;
        let account = json!([{
            "platform_user_id": format!("7656119800000{number:04}"),
            "login_name": "harbour.lantern.of.an.import",
            "shared_secret": "AQIDBAUGBwgJCgsMDQ4PEBESExQ=",
            "revocation_code": "R12345.of.an.import",
        }]);
        let command = CreateImport {
            workspace_id,
            kind: ImportKind::Accounts,
            format: ImportFormat::Json,
            content: account.to_string().into_bytes().into(),
            passphrase: None,
            defaults: DefaultsOfImport::default(),
            name: Some(name),
        };
        operations.create_import(&system, command).await.unwrap().value.id
    }

    /// The same in the workspace that is not the other one.
    pub(crate) async fn import(&self, number: u32) -> ImportId {
        self.import_of(self.desk.workspace_id, number).await
    }

    /// An account that was imported, with its revocation code.
    pub(crate) async fn imported_account(&self, number: u32) -> AccountId {
        let (operations, system) = (self.app.operations(), Caller::system());
        let (workspace_id, import_id) = (self.desk.workspace_id, self.import(number).await);
        let apply = ApplyImport { workspace_id, import_id, expected_version: Some(1) };
        operations.apply_import(&system, apply).await.unwrap();
        let rows = ListImportRows { workspace_id, import_id, limit: 1, cursor: String::new(), outcome: None };
        let rows = operations.list_import_rows(&system, rows).await.unwrap();
        rows.entries[0].account_id.unwrap()
    }
}
