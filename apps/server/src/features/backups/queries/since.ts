import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

/** Of what a restore keeps or brings in again, and of what changes no data. */
const notLost = [
  ...['session.%', 'access.%', 'user.%', 'role.%', 'api_key.%', 'second_factor.%', 'link.%', 'invitation.%'],
  ...['password_reset.%', 'admin_key.%', 'account.%', 'address.%', 'secrets.%', 'impersonation.%'],
  ...['backup.%', 'backup_plan.%', 'recovery_kit.%', 'audit.%', 'export.%', 'mail.%', 'job.%', 'queue.%', 'cache.%'],
  ...[
    'mirror.%',
    'payment.%',
    'subscription.%',
    'invoice.%',
    'coupon.%',
    'promotion_code.%',
    'payment_link.%',
    'deployment.%',
    'domain.%',
  ],
  ...['customer.create', 'customer.update', 'customer.delete_at_stripe', 'customer.erase'],
  ...['customer.give_sla_credit', 'customer.mail_uptime_report', 'incident.notify_customers'],
  // A change by SQL counts once it is kept.
  ...['sql.execute', 'sql.explain', 'sql.cancel', 'sql.write', 'sql.roll_back', 'security.run_checks'],
  ...['settings.test', 'channel.test', 'push_subscription.test'],
]

/** What was changed in the console since then and is gone, by what the log says; most often first. */
export async function findChangesSince(
  { db }: Pick<AppContext, 'db'>,
  since: Date,
): Promise<{ action: string; entries: number }[]> {
  const { rows } = await sql<{ action: string; entries: number }>`
    select action, count(*) as entries from audit_entries
    where at > ${since} and outcome = 'done' and actor_type in ('admin_key', 'user', 'api_key')
      and action not like all (${notLost}::text[])
    group by action order by 2 desc, 1`.execute(db)
  return rows
}
