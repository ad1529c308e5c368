//! Whether every link of the pages leads somewhere: to a file or folder of the repository, and to a heading of the page.
//!
//! A heading has the anchor that GitHub and mdBook give it. Links to other hosts are not followed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::pages::{Pages, local};
use crate::workspace_root;

/// The links and anchors of a page.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outline {
    targets: Vec<String>,
    anchors: BTreeSet<String>,
}

/// Returns a line for each broken link.
pub(super) fn broken(pages: &Pages) -> Vec<String> {
    let outlines: BTreeMap<&Path, Outline> =
        pages.0.iter().map(|(path, text)| (path.as_path(), outline(text))).collect();
    let mut found = Vec::new();
    for (page, Outline { targets, .. }) in &outlines {
        for target in targets {
            let Some((to, anchor)) = local(page, target) else { continue };
            let anchor = anchor.trim_start_matches('#');
            if !workspace_root().join(&to).exists() {
                found.push(format!("{}: {target} does not exist{}", page.display(), moved(&to, pages)));
            } else if !anchor.is_empty() && outlines.get(to.as_path()).is_some_and(|to| !to.anchors.contains(anchor)) {
                found.push(format!("{}: {target} has no such heading", page.display()));
            }
        }
    }
    found
}

/// Pages of the same name elsewhere, for a link to a page that was moved.
fn moved(to: &Path, pages: &Pages) -> String {
    let same_name = |page: &&PathBuf| page.file_name() == to.file_name() && !page.ends_with("README.md");
    pages.0.keys().filter(same_name).map(|page| format!("; there is {}", page.display())).collect()
}

fn outline(text: &str) -> Outline {
    let mut outline = Outline::default();
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match (event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
            (Event::End(TagEnd::Heading(_)), Some(title)) => {
                outline.anchors.insert(free_anchor(title, &outline.anchors));
                heading = None;
            }
            (Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }), _) => {
                outline.targets.push(dest_url.into_string());
            }
            (Event::Text(text) | Event::Code(text), Some(title)) => title.push_str(&text),
            _ => {}
        }
    }
    outline
}

/// The anchor of a title. A title that occurs again has a number behind it.
fn free_anchor(title: &str, taken: &BTreeSet<String>) -> String {
    let kept = title.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '));
    let anchor: String = kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect();
    let numbered = (1..).map(|number| format!("{anchor}-{number}"));
    std::iter::once(anchor.clone()).chain(numbered).find(|anchor| !taken.contains(anchor)).unwrap_or(anchor)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The pictures that are made of the console.
    const PICTURES: &str = "docs/images/console";

    #[test]
    fn every_link_of_the_pages_leads_to_a_file_and_a_heading() {
        assert_eq!(broken(&Pages::read().unwrap()), Vec::<String>::new());
    }

    #[test]
    fn every_picture_of_the_documents_is_shown_by_a_page() {
        let mut shown = BTreeSet::new();
        for (page, text) in Pages::read().unwrap().0 {
            shown.extend(outline(&text).targets.iter().filter_map(|to| Some(local(&page, to)?.0)));
        }
        let files = fs::read_dir(workspace_root().join(PICTURES)).unwrap();
        let pictures = files.map(|file| Path::new(PICTURES).join(file.unwrap().file_name()));
        let pictures = pictures.filter(|path| path.extension().is_some_and(|extension| extension == "webp"));
        assert_eq!(pictures.filter(|path| !shown.contains(path)).collect::<Vec<_>>(), Vec::<PathBuf>::new());
    }

    #[test]
    fn headings_have_the_anchors_of_github_and_code_has_no_links() {
        let page = "# The `doctor`, again\n\nSee [a](b.md#c).\n\n## Twice\n\n## Twice\n\n```text\n# no heading [x](y)\n```\n`[x](y)`";
        let anchors = ["the-doctor-again", "twice", "twice-1"].map(str::to_owned).into();
        assert_eq!(outline(page), Outline { targets: vec!["b.md#c".to_owned()], anchors });
    }

    #[test]
    fn a_link_to_a_missing_page_names_the_page_of_that_name_elsewhere() {
        let text = "[a](new.md) [b](errors.md) [c](reference/errors.md#none)".to_owned();
        let pages =
            BTreeMap::from([("docs/page.md".into(), text), ("docs/reference/errors.md".into(), "# Errors".to_owned())]);
        let expected = [
            "docs/page.md: new.md does not exist",
            "docs/page.md: errors.md does not exist; there is docs/reference/errors.md",
            "docs/page.md: reference/errors.md#none has no such heading",
        ];
        assert_eq!(broken(&Pages(pages)), expected);
    }
}
