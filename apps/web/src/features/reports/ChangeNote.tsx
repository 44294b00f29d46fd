import type { Change } from '@agency/contract/types'
import { Delta } from '../../ui/Delta.tsx'
import { compareWords, type ReportsSearch } from './reports-search.ts'

type Props = {
  change: Change
  state: Pick<ReportsSearch, 'compare'>
  format: (value: number) => string
  lessIsBetter?: boolean
}

export function ChangeNote({ change: { current, compared, percent, definition }, state, format, lessIsBetter }: Props) {
  if (current === null) return null
  return (
    <Delta
      {...{ current, percent, definition, format }}
      previous={compared}
      period={compareWords[state.compare]}
      lessIsBetter={lessIsBetter ?? false}
    />
  )
}
