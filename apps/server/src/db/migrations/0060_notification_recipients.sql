-- Of one person only; null: of everybody with the permission.
alter table notifications add column recipient_id text;
