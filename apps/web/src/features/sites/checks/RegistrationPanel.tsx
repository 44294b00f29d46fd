import * as registrations from '@agency/contract/descriptors/registrations'
import type { SiteRegistration } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import type { ApiError } from '../../../lib/problems.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { type Fact, Facts } from '../../../ui/Facts.tsx'
import { ListFailure } from '../../../ui/ListFailure.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import css from './checks.module.css'

export function RegistrationPanel({ siteId }: { siteId: string }) {
  const call = q(registrations.getSiteRegistration, { params: { id: siteId } })
  const { data, error, dataUpdatedAt, refetch } = useQuery(call)
  return (
    <section className={css['section']}>
      <h3 className={css['heading']}>Domain registration</h3>
      <ListFailure
        error={error as ApiError | null}
        what="the registration"
        at={data ? dataUpdatedAt : null}
        onRetry={() => void refetch()}
      />
      {data ? <Facts facts={factsOf(data.registration)} /> : error ? null : <SkeletonLines count={2} />}
    </section>
  )
}

function factsOf({ domain, expires_at, days_left, registrar, checked_at, problem }: SiteRegistration): Fact[] {
  const missing = checked_at === null && problem === null ? 'Not checked yet' : 'Unknown'
  return [
    { label: 'Registered domain', value: domain === null ? missing : <bdi>{domain}</bdi> },
    {
      label: 'Expires',
      value: expires_at === null || days_left === null ? missing : <Expiry at={expires_at} daysLeft={days_left} />,
    },
    ...(registrar ? [{ label: 'Registrar', value: <bdi>{registrar}</bdi> }] : []),
    ...(checked_at ? [{ label: 'Checked', value: <DateTime at={checked_at} show="relative" /> }] : []),
    ...(problem ? [{ label: 'Problem', value: problem, wide: true }] : []),
  ]
}

const warnDays = 30
const errorDays = 7

function Expiry({ at, daysLeft }: { at: string; daysLeft: number }) {
  const tone = daysLeft < errorDays ? 'error' : daysLeft < warnDays ? 'warning' : 'success'
  const label = daysLeft < 0 ? 'Expired' : daysLeft === 1 ? '1 day left' : `${daysLeft} days left`
  return (
    <>
      <DateTime at={at} show="date-time" /> <StatusChip tone={tone} label={label} />
    </>
  )
}
