-- Settings of a domain are changed like its DNS records: as shown, settled by reading, undone within the hour.
alter table dns_changes drop constraint dns_changes_kind_check;
alter table dns_changes add constraint dns_changes_kind_check check (kind in ('create', 'update', 'delete', 'set'));
