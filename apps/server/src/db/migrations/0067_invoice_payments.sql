-- Of the actions on one invoice, charging it and marking it as paid among them, only one is under way at a time.
drop index money_actions_one_open_invoice;
create unique index money_actions_one_open_invoice on money_actions (target_id)
  where kind in ('invoice_send', 'invoice_pay', 'invoice_mark_paid', 'invoice_void', 'invoice_uncollectible')
    and state in ('started', 'unknown');
