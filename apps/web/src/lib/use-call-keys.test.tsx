import * as deployments from '@agency/contract/descriptors/deployments'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../test/mock-api.ts'
import { renderPage } from '../../test/render.tsx'
import { useCall } from './use-call.ts'

function Buttons() {
  const call = useCall(deployments.createDeployment)
  const press = (id: string) => () => call.mutate({ params: { id } })
  return (
    <>
      <button type="button" onClick={press('site_1')}>
        one
      </button>
      <button type="button" onClick={press('site_2')}>
        two
      </button>
      {call.isPending ? <p>under way</p> : null}
    </>
  )
}

type Outcome = () => Response
const done: Outcome = () => Response.json({ deployment: { id: 'dep_1' }, is_repeat: false })
const refused: Outcome = () => problem(409, { code: 'conflict', detail: 'No' })
const broken: Outcome = () => problem(503, { code: 'unavailable', detail: 'Down' })
const lost: Outcome = () => {
  throw new TypeError('lost')
}

async function keysOf(presses: [button: 'one' | 'two', outcome: Outcome][]): Promise<(string | null)[]> {
  let outcome = done
  const api = mockApi(deployments, { createDeployment: () => outcome() })
  const { user } = renderPage(<Buttons />)
  for (const [at, [button, next]] of presses.entries()) {
    outcome = next
    await user.click(screen.getByRole('button', { name: button }))
    await waitFor(() => expect(api.calls()).toHaveLength(at + 1))
    await waitFor(() => expect(screen.queryByText('under way')).toBeNull())
  }
  return api.calls().map(({ headers }) => headers.get('idempotency-key'))
}

test.each([
  ['a lost answer is the same act', lost, true],
  ['an answer that leaves it open is the same act', broken, true],
  ['a refusal is another act', refused, false],
  ['success is another act', done, false],
])('a press after %s', async (_, outcome, isSame) => {
  const [first, second] = await keysOf([
    ['one', outcome],
    ['one', done],
  ])
  expect(first === second).toBe(isSame)
})

test('what was asked of another meanwhile has a key of its own, and the first one keeps its', async () => {
  const [first, other, again] = await keysOf([
    ['one', lost],
    ['two', done],
    ['one', done],
  ])
  expect(other).not.toBe(first)
  expect(again).toBe(first)
})

test('a press while it is under way makes no call', async () => {
  const answers: ((answer: Response) => void)[] = []
  const api = mockApi(deployments, {
    createDeployment: () => new Promise<Response>((answer) => answers.push(answer)),
  })
  const { user } = renderPage(<Buttons />)
  await user.dblClick(screen.getByRole('button', { name: 'one' }))
  await screen.findByText('under way')
  await waitFor(() => expect(answers).toHaveLength(1))
  answers[0]?.(done())
  await waitFor(() => expect(screen.queryByText('under way')).toBeNull())
  expect(api.calls()).toHaveLength(1)
})
