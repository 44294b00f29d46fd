-- What was or may still be bought. A checkout that only saves a card sells nothing.
create index checkout_sessions_purchases on checkout_sessions (created_at desc, id desc)
  where deleted_at is null and mode <> 'setup';
-- Only a completed checkout is news.
create index checkout_sessions_completed on checkout_sessions (created_at desc, id desc)
  where deleted_at is null and mode <> 'setup' and status = 'complete';

-- Who has read which purchase. No foreign key: the mirror's tables are emptied when another account is connected.
create table purchase_reads (
  purchase_id text not null,
  actor_id text not null,
  read_at timestamptz not null,
  primary key (purchase_id, actor_id)
);
create index purchase_reads_age on purchase_reads (read_at);

create table purchase_counts (
  id integer primary key check (id = 1),
  purchases bigint not null default 0
);

do $do$
declare
  operation text;
  changed text;
begin
  foreach operation in array array['insert', 'update', 'delete'] loop
    changed := case operation
      when 'insert' then '(select 1 as sign, mode, deleted_at from new_rows)'
      when 'delete' then '(select -1 as sign, mode, deleted_at from old_rows)'
      else '(select 1 as sign, mode, deleted_at from new_rows union all select -1, mode, deleted_at from old_rows)'
    end;
    execute format($f$
      create function checkout_sessions_%1$s_purchases() returns trigger language plpgsql as $b$
      begin
        insert into purchase_counts as t (id, purchases)
        select 1, sum(sign) from %2$s c where deleted_at is null and mode <> 'setup' having sum(sign) <> 0
        on conflict (id) do update set purchases = t.purchases + excluded.purchases;
        return null;
      end $b$;
    $f$, operation, changed);
  end loop;
end $do$;
create trigger checkout_sessions_insert_purchases after insert on checkout_sessions referencing new table as new_rows
  for each statement execute function checkout_sessions_insert_purchases();
create trigger checkout_sessions_update_purchases after update on checkout_sessions
  referencing old table as old_rows new table as new_rows
  for each statement execute function checkout_sessions_update_purchases();
create trigger checkout_sessions_delete_purchases after delete on checkout_sessions referencing old table as old_rows
  for each statement execute function checkout_sessions_delete_purchases();

create function checkout_sessions_truncate_purchases() returns trigger language plpgsql as $$
begin
  delete from purchase_counts;
  delete from purchase_reads;
  return null;
end $$;
create trigger checkout_sessions_truncate_purchases after truncate on checkout_sessions
  for each statement execute function checkout_sessions_truncate_purchases();

insert into purchase_counts (id, purchases)
select 1, count(*) from checkout_sessions where deleted_at is null and mode <> 'setup';

create trigger checkout_sessions_tell_purchases after insert or update or delete on checkout_sessions
  for each statement execute function tell_change('purchases');
create trigger purchase_reads_tell after insert or update or delete on purchase_reads
  for each statement execute function tell_change('purchases');
