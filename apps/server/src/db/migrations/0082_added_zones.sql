-- A domain is added like a record: written down first, and settled by a look once its answer is lost. Until Cloudflare has given
-- it an id, its zone is its name.
alter table dns_changes drop constraint dns_changes_kind_check;
alter table dns_changes add constraint dns_changes_kind_check
  check (kind in ('create', 'update', 'delete', 'set', 'add_zone'));
