-- What was heard of a provider instead of an answer that tells whether it took the call; null again once that is known.
alter table deployments add column heard_instead text;
update deployments set wait_note = null, heard_instead = split_part(wait_note, '; what it made of it', 1)
where completed_at is null and wait_note like '%; what it made of it is not known, and is being looked for';

drop trigger deployments_tell_update on deployments;
create trigger deployments_tell_update after update of status, failure, version, commit_hash, commit_message, url, stages,
  environment_note, wait_note, heard_instead, served, cancel_requested_at, is_log_complete, provider_deployment_id,
  build_id on deployments
  for each statement execute function tell_change('deployments');
