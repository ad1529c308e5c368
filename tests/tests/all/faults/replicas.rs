//! PostgreSQL servers that replicate each other, are lost and come back, or have a pooler in front of them.

mod outage_lines;
mod pooled;
mod promoted;
mod several_servers;
