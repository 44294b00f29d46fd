import type { ReactNode } from 'react'
import css from './Pairs.module.css'

export type Pair = { label: string; value: ReactNode }

/** Labels with their values, in a frame: metadata as it was written elsewhere, figures by currency. */
export function Pairs({ title, pairs }: { title: string; pairs: readonly Pair[] }) {
  if (pairs.length === 0) return null
  return (
    <section>
      <h3 className={css['heading']}>{title}</h3>
      <dl className={css['pairs']}>
        {pairs.map(({ label, value }) => (
          <div key={label} className={css['pair']}>
            <dt>
              <bdi>{label}</bdi>
            </dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function metadataPairs(metadata: Record<string, string>): Pair[] {
  return Object.entries(metadata).map(([label, value]) => ({ label, value }))
}
