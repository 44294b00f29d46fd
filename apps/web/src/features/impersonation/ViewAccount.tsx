import * as impersonation from '@agency/contract/descriptors/impersonation'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { countryName } from '../../lib/format.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import css from './impersonation.module.css'

const text = (value: string | null) => (value ? <bdi>{value}</bdi> : null)

export function ViewAccount({ id }: { id: string }) {
  const { data, error, dataUpdatedAt, refetch } = useQuery(q(impersonation.viewAccount, { params: { id } }))
  const account = data?.account
  return (
    <>
      <ListFailure error={error} what="the account" at={data ? dataUpdatedAt : null} onRetry={() => void refetch()} />
      {account ? (
        <div className={css['sheet']}>
          <Facts
            facts={[
              { label: 'Name', value: text(account.name) },
              { label: 'Email', value: text(account.email) },
              { label: 'Phone', value: text(account.phone) },
              { label: 'Company', value: text(account.company) },
              { label: 'Country', value: account.country ? countryName(account.country) : null },
              { label: 'Customer Since', value: <DateTime at={account.created_at} /> },
            ]}
          />
        </div>
      ) : error ? null : (
        <SkeletonLines count={3} />
      )}
    </>
  )
}
