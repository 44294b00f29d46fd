import { chipsOf } from '../../lib/list/define-list.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { ListSelect } from '../../ui/list/fields.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { attemptColumns } from './attempt-columns.tsx'
import { LockOuts } from './LockOuts.tsx'
import { attemptsList } from './security-search.ts'
import { type Attempt, methodLabels } from './security-words.ts'

const nameOf = (attempt: Attempt) => `${methodLabels[attempt.method]} from ${attempt.address}`
const outcomes = [
  { value: 'all', label: 'All' },
  { value: 'succeeded', label: 'Succeeded' },
  { value: 'failed', label: 'Failed' },
]

export function AttemptsTab() {
  const screen = useListScreen(attemptsList)
  return (
    <>
      <LockOuts ready={screen.rows !== undefined} />
      <ListScreen
        screen={screen}
        label="Sign-in attempts"
        many="attempts"
        what="the sign-in attempts"
        columns={attemptColumns}
        nameOf={nameOf}
        skeletonRows={8}
        toolbar={<ListSelect screen={screen} field="outcome" label="Outcome" choices={outcomes} />}
        chips={chipsOf(attemptsList.search, screen.state, { outcome: (outcome) => `Outcome: ${outcome}` })}
        empty="No sign-in attempts yet."
      />
    </>
  )
}
