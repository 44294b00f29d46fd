-- A line that took the place of another text: whoever has read that text already is told of the line after all.
alter table deployment_log_lines add column is_late boolean not null default false;
create index deployment_log_lines_late on deployment_log_lines (deployment_id, number) where is_late;
