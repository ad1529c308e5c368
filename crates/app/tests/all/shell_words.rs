//! Command lines as a shell reads them.

/// The words of a command line, as a shell separates them.
pub(crate) fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote): (Vec<String>, Option<String>, Option<char>) = (Vec::new(), None, None);
    for character in line.chars() {
        match character {
            '\'' | '"' if quote.is_none() => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            _ if quote == Some(character) => quote = None,
            ' ' if quote.is_none() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}
