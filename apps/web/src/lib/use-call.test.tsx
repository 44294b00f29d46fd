import { deployments } from '@agency/contract/descriptors'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../test/mock-api.ts'
import { renderPage } from '../../test/render.tsx'
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
