import * as sites from '@agency/contract/descriptors/sites'
import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { mockApi, problem } from '../../test/mock-api.ts'
import { renderPage } from '../../test/render.tsx'
import { useCall } from './use-call.ts'

type Outcome = { answer: () => Response; told: string }
const done: Outcome = { answer: () => Response.json({ created: 1, skipped: 0, rows: [] }), told: 'Done' }
const refused: Outcome = { answer: () => problem(409, { code: 'conflict', detail: 'Refused' }), told: 'Refused' }
const broken: Outcome = { answer: () => problem(503, { code: 'unavailable', detail: 'Down' }), told: 'Not known' }
const lost: Outcome = {
  answer: () => {
    throw new TypeError('lost')
  },
  told: 'Not known',
}

function Dialog({ onDone }: { onDone: () => void }) {
  const [isDone, setDone] = useState(false)
  const act = useCall(sites.importSites, [], { isOneIntent: true })
  const handleDone = () => {
    setDone(true)
    onDone()
  }
  const failure = act.isUnknown ? 'Not known' : act.error?.detail
  return (
    <>
      <button type="button" onClick={() => act.mutate({ body: { sites: [] } }, { onSuccess: handleDone })}>
        Do it
      </button>
      <p>{act.isPending ? 'Under way' : isDone ? 'Done' : failure}</p>
    </>
  )
}

/** Presses once for each outcome; the dialog stays, as it does for a moment when it is closed. */
async function press(outcomes: Outcome[]) {
  const onDone = vi.fn()
  const left = outcomes.map(({ answer }) => answer)
  const api = mockApi(sites, { importSites: () => (left.shift() ?? done.answer)() })
  const { user } = renderPage(<Dialog onDone={onDone} />)
  for (const { told } of outcomes) {
    await user.click(screen.getByRole('button'))
    await screen.findByText(told)
  }
  return { keys: api.calls().map(({ headers }) => headers.get('idempotency-key')), onDone }
}

test.each([
  ['a lost answer is the same act', lost, true],
  ['an answer that leaves it open is the same act', broken, true],
  ['a refusal is another act', refused, false],
])('a try after %s', async (_, outcome, isSame) => {
  const { keys } = await press([outcome, done])
  expect(keys).toHaveLength(2)
  expect(keys[0] === keys[1]).toBe(isSame)
})

test('what was done is not sent again', async () => {
  const { keys, onDone } = await press([done, done])
  expect(keys).toHaveLength(1)
  expect(onDone).toHaveBeenCalledTimes(1)
})
