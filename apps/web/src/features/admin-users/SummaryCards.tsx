import type * as adminUsers from '@agency/contract/descriptors/admin-users'
import type { ResponseOf } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { Age } from '../../ui/Age.tsx'
import { StatCard } from '../../ui/StatCard.tsx'
import css from './admin-users.module.css'

type Props = {
  summary: ResponseOf<typeof adminUsers.listUsers>['summary'] | undefined
  failed: boolean
  asOf: number | null
}

export function SummaryCards({ summary, failed, asOf }: Props) {
  const state = summary ? 'ready' : failed ? 'unavailable' : 'loading'
  const shared = { state, asOf } as const
  const stale = summary && failed ? <Age at={asOf} failed /> : null
  const inactive = summary ? summary.total - summary.active : 0
  return (
    <div className={css['cards']}>
      <StatCard
        {...shared}
        label="Total Users"
        href={paths.users}
        value={formatCount(summary?.total ?? 0)}
        note={stale ?? (inactive > 0 ? `${formatCount(inactive)} inactive` : null)}
      />
      <StatCard
        {...shared}
        label="Active Users"
        href={`${paths.users}?status=active`}
        value={formatCount(summary?.active ?? 0)}
        note={stale ?? 'may sign in'}
      />
      <StatCard
        {...shared}
        label="Roles"
        href={`${paths.users}?tab=roles`}
        value={formatCount(summary?.roles ?? 0)}
        note={stale}
      />
      <StatCard
        {...shared}
        label="Online Now"
        value={formatCount(summary?.online ?? 0)}
        note={stale ?? 'active in the last 5 minutes'}
      />
    </div>
  )
}
