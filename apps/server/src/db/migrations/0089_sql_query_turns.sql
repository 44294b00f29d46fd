-- When a query had its turn; null while it waits behind others, and of one that never ran.
alter table sql_queries add column began_at timestamptz;
update sql_queries set began_at = executed_at where status in ('processing', 'success');
