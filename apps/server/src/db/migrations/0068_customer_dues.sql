-- What a customer owes: its open invoices, in the account's default currency, and { "eur": 1200 } in others, null without any.
alter table customer_totals
  add column owed bigint not null default 0,
  add column other_owed jsonb;

create function add_amounts(a jsonb, b jsonb) returns jsonb language sql immutable as $$
  select jsonb_object_agg(key, value) from (
    select key, sum(value::bigint) as value from (
      select * from jsonb_each_text(coalesce(a, '{}')) union all select * from jsonb_each_text(coalesce(b, '{}'))
    ) e group by key
  ) s where value <> 0
$$;

create type due_change as (customer_id text, currency text, amount bigint);

create function invoices_dues() returns trigger language plpgsql as $$
declare
  home text := default_currency();
  changes due_change[];
begin
  if tg_op <> 'DELETE' then
    changes := array(
      select (customer_id, currency, amount_remaining)::due_change from new_rows
      where status = 'open' and deleted_at is null and customer_id is not null
    );
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || array(
      select (customer_id, currency, -amount_remaining)::due_change from old_rows
      where status = 'open' and deleted_at is null and customer_id is not null
    );
  end if;
  if cardinality(changes) = 0 then
    return null;
  end if;
  insert into customer_totals as t (customer_id, owed, other_owed)
  select customer_id, coalesce(sum(amount) filter (where currency = home), 0),
    jsonb_object_agg(currency, amount) filter (where currency <> home)
  from (
    select customer_id, currency, sum(amount) as amount from unnest(changes)
    group by customer_id, currency having sum(amount) <> 0
  ) c group by customer_id order by customer_id
  on conflict (customer_id) do update set
    owed = t.owed + excluded.owed, other_owed = add_amounts(t.other_owed, excluded.other_owed);
  return null;
end $$;

create trigger invoices_insert_dues after insert on invoices referencing new table as new_rows
  for each statement execute function invoices_dues();
create trigger invoices_update_dues after update on invoices referencing old table as old_rows new table as new_rows
  for each statement execute function invoices_dues();
create trigger invoices_delete_dues after delete on invoices referencing old table as old_rows
  for each statement execute function invoices_dues();

-- Of those who were there before this file.
insert into customer_totals as t (customer_id, owed, other_owed)
select customer_id, coalesce(sum(amount) filter (where currency = default_currency()), 0),
  jsonb_object_agg(currency, amount) filter (where currency <> default_currency())
from (
  select customer_id, currency, sum(amount_remaining) as amount from invoices
  where status = 'open' and deleted_at is null and customer_id is not null
  group by 1, 2 having sum(amount_remaining) <> 0
) i group by customer_id
on conflict (customer_id) do update set owed = excluded.owed, other_owed = excluded.other_owed;

create index customer_totals_owed on customer_totals (owed desc, customer_id desc);
create index customer_totals_owing on customer_totals (customer_id) where owed > 0 or other_owed is not null;
