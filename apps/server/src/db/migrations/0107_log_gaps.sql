-- Lines that were not received are one row, however many they are: from its number to this one.
alter table deployment_log_lines add column missing_until integer check (missing_until >= number);
create index deployment_log_lines_missing on deployment_log_lines (deployment_id, number) where is_missing;
