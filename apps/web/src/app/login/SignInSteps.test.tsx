import * as auth from '@agency/contract/descriptors/auth'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { personSession } from '../../../test/people.ts'
import { renderPiece, signInAs, testKey } from '../../../test/render.tsx'
import { currentSession } from '../../lib/session.ts'
import { load } from '../../lib/storage.ts'
import { SignInSteps } from './SignInSteps.tsx'

type Stage = 'second_factor' | 'new_password' | 'enrolment'
const codes = Array.from({ length: 10 }, (_, index) => `aaaa-bbbb-cccc-000${index}`)
const opened = { session_key: 'the-next-session-key', ...personSession() }

function show(stage: Stage) {
  const state = personSession({ stage }, { required: stage === 'enrolment', enabled: stage === 'second_factor' })
  mockApi(auth, { getSession: () => state })
  signInAs(state)
  return renderPiece(<SignInSteps state={state} />)
}

beforeEach(() => {
  mockApi(auth, {
    giveSecondFactor: () => opened,
    chooseFirstPassword: () => opened,
    logout: () => ({ success: true as const }),
  })
})

test('an incomplete session is no open one', () => {
  show('second_factor')
  expect(currentSession().phase).toBe('incomplete')
})

test('the sixth digit sends the code, and the new key takes the place of the old', async () => {
  const api = mockApi(auth, {})
  const { user } = show('second_factor')
  const field = screen.getByLabelText<HTMLInputElement>('Code')
  expect(document.activeElement).toBe(field)
  expect(field.autocomplete).toBe('one-time-code')
  await user.type(field, '123456')
  await waitFor(() => expect(currentSession().phase).toBe('signed-in'))
  const sent = api.calls().filter(({ name }) => name === 'giveSecondFactor')
  expect(sent.map(({ body }) => body)).toEqual([{ code: '123456' }])
  expect(load('adminKey')).toBe('the-next-session-key')
})

test('a wrong code is told at the field and can be tried again', async () => {
  mockApi(auth, {
    giveSecondFactor: () =>
      problem(400, { code: 'invalid_request', detail: 'This code is not valid.', parameter: 'code' }),
  })
  const { user } = show('second_factor')
  await user.type(screen.getByLabelText('Code'), '111111')
  expect((await screen.findByRole('alert')).textContent).toContain('This code is not valid.')
  expect(document.activeElement).toBe(screen.getByLabelText('Code'))
  expect(load('adminKey')).toBe(testKey)
})

test('a recovery code goes in another field and is sent by the button only', async () => {
  const api = mockApi(auth, {})
  const { user } = show('second_factor')
  await user.click(screen.getByRole('button', { name: 'Use a recovery code' }))
  await user.type(screen.getByLabelText('Recovery code'), 'aaaa-bbbb-cccc-dddd')
  expect(api.calls().filter(({ name }) => name === 'giveSecondFactor')).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(currentSession().phase).toBe('signed-in'))
})

test('a step that another tab has taken goes on from where the sign-in is', async () => {
  const { user } = show('second_factor')
  mockApi(auth, {
    giveSecondFactor: () => problem(409, { code: 'conflict', detail: 'This sign-in needs no code' }),
    getSession: () => personSession(),
  })
  await user.type(screen.getByLabelText('Code'), '123456')
  await waitFor(() => expect(currentSession().phase).toBe('signed-in'))
})

test('the first password can be looked at, and what the server refuses stands at the field', async () => {
  const { user } = show('new_password')
  const field = screen.getByLabelText<HTMLInputElement>('New password')
  await user.click(screen.getByRole('button', { name: 'Save password' }))
  expect(screen.getByRole('alert').textContent).toBe('Please enter a new password')
  await user.click(screen.getByRole('button', { name: 'Show New password' }))
  expect(field.type).toBe('text')
  mockApi(auth, {
    chooseFirstPassword: () =>
      problem(400, { code: 'invalid_request', detail: 'This password is too easy to guess.', parameter: 'password' }),
  })
  await user.type(field, 'password1{Enter}')
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('This password is too easy to guess.'))
  mockApi(auth, { chooseFirstPassword: () => opened })
  await user.type(field, ' with more words{Enter}')
  await waitFor(() => expect(currentSession().phase).toBe('signed-in'))
})

test('enrolment shows picture and secret, then the codes, and goes on only when they are saved', async () => {
  mockApi(auth, {
    beginEnrolment: () => ({ secret: 'ABCDEFGHIJKLMNOP', uri: 'otpauth://totp/Agency:grace?secret=ABCDEFGHIJKLMNOP' }),
    confirmEnrolment: () => ({ recovery_codes: codes, session_key: 'the-key-after-enrolment' }),
  })
  const { user } = show('enrolment')
  await user.click(screen.getByRole('button', { name: 'Begin' }))
  expect(await screen.findByRole('img', { name: 'QR code for the authenticator app' })).toBeDefined()
  expect(screen.getByText('ABCD EFGH IJKL MNOP')).toBeDefined()
  await user.type(screen.getByLabelText('Code from the app'), '12{Enter}')
  expect(screen.getByRole('alert').textContent).toBe('Enter the six-digit code from the app')
  await user.type(screen.getByLabelText('Code from the app'), '3456{Enter}')
  const list = await screen.findByRole('list', { name: 'Recovery codes' })
  expect([...list.children].map((line) => line.textContent)).toEqual(codes)
  expect(load('adminKey')).toBe('the-key-after-enrolment')
  expect(currentSession().phase).toBe('incomplete')
  mockApi(auth, { getSession: () => personSession({}, { enabled: true }) })
  await user.click(screen.getByRole('button', { name: 'I have saved them' }))
  await waitFor(() => expect(currentSession().phase).toBe('signed-in'))
})

test('saves the recovery codes as a file', async () => {
  const saved: Blob[] = []
  URL.createObjectURL = (blob) => `blob:${saved.push(blob as Blob)}`
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  mockApi(auth, {
    beginEnrolment: () => ({ secret: 'ABCD', uri: 'otpauth://totp/x' }),
    confirmEnrolment: () => ({ recovery_codes: codes, session_key: 'next' }),
  })
  const { user } = show('enrolment')
  await user.click(screen.getByRole('button', { name: 'Begin' }))
  await user.type(await screen.findByLabelText('Code from the app'), '123456{Enter}')
  await user.click(await screen.findByRole('button', { name: 'Download' }))
  expect(await saved[0]?.text()).toBe(`${codes.join('\n')}\n`)
})

test('somebody else can sign in instead', async () => {
  const api = mockApi(auth, {})
  const { user } = show('second_factor')
  await user.click(screen.getByRole('button', { name: 'Use another account' }))
  expect(load('adminKey')).toBeUndefined()
  expect(api.calls().map(({ name }) => name)).toContain('logout')
})
