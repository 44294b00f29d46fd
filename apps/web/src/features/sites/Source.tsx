import { DateTime } from '../../ui/DateTime.tsx'
import type { Measure } from './measured.ts'
import css from './sites.module.css'

type Props = {
  measure: Measure
  /** What was measured stands beside it already. */
  withoutWhat?: boolean
}

/** Where a value comes from and how old it is, in words. */
export function Source({ measure: { what, source, at }, withoutWhat = false }: Props) {
  return (
    <span className={css['source']}>
      {withoutWhat ? null : <bdi>{what}. </bdi>}
      {at === null ? (
        `Not measured yet (${source}).`
      ) : (
        <>
          From {source}, {<DateTime at={at} show="relative" />}.
        </>
      )}
    </span>
  )
}
