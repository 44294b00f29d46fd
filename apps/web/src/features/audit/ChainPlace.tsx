import type * as audit from '@agency/contract/descriptors/audit'
import type { ResponseOf } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { Facts } from '../../ui/Facts.tsx'
import css from './audit.module.css'

type Chain = ResponseOf<typeof audit.getAuditEntry>['chain']

export function ChainPlace({ chain }: { chain: Chain }) {
  return (
    <section aria-label="Place in the chain">
      <h3 className={css['heading']}>Place in the chain</h3>
      {chain ? (
        <Facts
          facts={[
            { label: 'Place', value: `#${formatCount(chain.seq)}`, wide: true },
            { label: 'Hash', value: null, id: chain.hash, wide: true },
            { label: 'Hash before it', value: null, id: chain.previous_hash, wide: true },
          ]}
        />
      ) : (
        <p className={css['muted']}>This entry has no place in the chain. Run the tamper check.</p>
      )}
    </section>
  )
}
