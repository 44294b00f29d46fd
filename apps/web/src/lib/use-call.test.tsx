import * as deployments from '@agency/contract/descriptors/deployments'
import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../test/mock-api.ts'
import { renderPage, testSession } from '../../test/render.tsx'
import { q } from './api.ts'
import { useCall } from './use-call.ts'

function Buttons({ told }: { told: string[] }) {
  const call = useCall(deployments.createDeployment)
  const press = (id: string) => () =>
    call.mutate({ params: { id } }, { onSuccess: () => told.push(id), onError: (error) => told.push(error.message) })
  return (
    <>
      <button type="button" onClick={press('one')}>
        one
      </button>
      <button type="button" onClick={press('two')}>
        two
      </button>
      {call.isPending ? <p>under way</p> : null}
    </>
  )
}

function open() {
  const answers: ((answer: Response) => void)[] = []
  const api = mockApi(deployments, {
    createDeployment: () => new Promise<Response>((answer) => answers.push(answer)),
  })
  const told: string[] = []
  const { user } = renderPage(<Buttons told={told} />)
  const press = (name: string) => user.dblClick(screen.getByRole('button', { name }))
  const answer = async (answered: Response) => {
    await waitFor(() => expect(answers).toHaveLength(1))
    answers.pop()?.(answered)
    await waitFor(() => expect(screen.queryByText('under way')).toBeNull())
  }
  const asked = () => api.calls().map(({ params }) => params)
  return { told, press, answer, asked }
}
const done = () => Response.json({ deployment: { id: 'dep_1' }, is_repeat: false })

test('while a call is under way no other one is made, and the first one is told what became of it', async () => {
  const { told, press, answer, asked } = open()
  await press('one')
  await screen.findByText('under way')
  await press('two')
  await answer(done())
  expect(asked()).toEqual([{ id: 'one' }])
  expect(told).toEqual(['one'])
})

test.each([
  ['was answered', done, 'one'],
  ['was refused', () => problem(409, { code: 'conflict', detail: 'No' }), 'No'],
])('once it %s another one is made', async (_, outcome, first) => {
  const { told, press, answer, asked } = open()
  await press('one')
  await screen.findByText('under way')
  await answer(outcome())
  await press('two')
  await screen.findByText('under way')
  await answer(done())
  expect(asked()).toEqual([{ id: 'one' }, { id: 'two' }])
  expect(told).toEqual([first, 'two'])
})

function Lone() {
  const call = useCall(deployments.createDeployment)
  return (
    <>
      <button type="button" onClick={() => call.mutate({ params: { id: 'one' } }, { failure: 'It was not deployed' })}>
        one
      </button>
      <p>{call.denial ?? 'allowed'}</p>
    </>
  )
}

test.each([
  ['fails', { status: 409, code: 'conflict' }, 'It was not deployed'],
  ['may have been made', { status: 504, code: 'outcome_unknown' }, 'Outcome unknown'],
] as const)('an action without a place for its error tells in a toast that it %s', async (_, answer, said) => {
  const { status, code } = answer
  mockApi(deployments, { createDeployment: () => problem(status, { code, detail: 'It is busy' }) })
  const { user } = renderPage(<Lone />)
  await user.click(screen.getByRole('button', { name: 'one' }))
  const toast = await screen.findByText(said)
  expect(toast.closest('[role="alert"]')?.textContent).toContain('It is busy')
  expect(screen.queryAllByText('It was not deployed')).toHaveLength(code === 'conflict' ? 1 : 0)
})

test.each([
  ['lacks the permission', [], 'Needs the permission sites.deploy'],
  ['has it', ['sites.deploy' as const], 'allowed'],
])('the endpoint says what it needs: somebody who %s', (_, permissions, told) => {
  renderPage(<Lone />, { session: testSession(permissions) })
  expect(screen.getByText(told)).toBeDefined()
})

function Deploy({ onDone }: { onDone: () => void }) {
  const call = useCall(deployments.createDeployment, [deployments.listDeployments])
  return (
    <button
      type="button"
      onClick={() => call.mutate({ params: { id: 'one' } }, { success: 'Deployed', onSuccess: onDone })}
    >
      deploy
    </button>
  )
}

function List({ onDone }: { onDone: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const list = useQuery(q(deployments.listDeployments, { query: {} }))
  return (
    <>
      {isOpen ? <Deploy onDone={onDone} /> : null}
      <button type="button" onClick={() => setOpen(false)}>
        leave
      </button>
      <p>{list.data ? `read ${list.data.total}` : 'not read'}</p>
    </>
  )
}

/** The number of times that it was read stands in the answer of the list. */
function openList() {
  let reads = 0
  let answer = () => {}
  const answered = new Promise<Response>((resolve) => {
    answer = () => resolve(done())
  })
  const api = mockApi(deployments, {
    createDeployment: () => answered,
    listDeployments: () => {
      reads += 1
      return Response.json({ deployments: [], counts: {}, total: reads, has_more: false })
    },
  })
  const readsWhenDone: number[] = []
  const { user } = renderPage(<List onDone={() => readsWhenDone.push(reads)} />)
  const press = (name: string) => user.click(screen.getByRole('button', { name }))
  const asked = (name: string) => api.calls().filter((call) => call.name === name)
  return { readsWhenDone, press, answer, asked }
}

test('what became stale is read again before the call is told to be done', async () => {
  const { readsWhenDone, press, answer } = openList()
  await screen.findByText('read 1')
  await press('deploy')
  answer()
  await screen.findByText('read 2')
  await waitFor(() => expect(readsWhenDone).toEqual([2]))
})

test('what has left with its row is not called, but its toast is shown and what became stale is read again', async () => {
  const { readsWhenDone, press, answer, asked } = openList()
  await screen.findByText('read 1')
  await press('deploy')
  await waitFor(() => expect(asked('createDeployment')).toHaveLength(1))
  await press('leave')
  answer()
  await screen.findByText('read 2')
  await screen.findByText('Deployed')
  expect(readsWhenDone).toEqual([])
})
