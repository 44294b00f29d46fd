-- The kinds of actions belong to the features that have them; the code lists them, the database holds their form.
alter table money_actions drop constraint money_actions_kind_check;
alter table money_actions add constraint money_actions_kind_check check (kind ~ '^[a-z]+(_[a-z]+)*$');

create unique index money_actions_one_open_invoice on money_actions (target_id)
  where kind in ('invoice_send', 'invoice_void', 'invoice_uncollectible') and state in ('started', 'unknown');
