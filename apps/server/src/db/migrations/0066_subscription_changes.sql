-- One change of a subscription at a time: what a second one would act on is not known before the first is settled.
drop index money_actions_one_open_cancel;
create unique index money_actions_one_open_change on money_actions (target_id)
  where kind in ('cancel', 'undo_cancel', 'pause', 'resume', 'change_plan') and state in ('started', 'unknown');
