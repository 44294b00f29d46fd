import { act, screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { expect, test } from 'vitest'
import { renderPiece } from '../../../test/render.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { ApiError } from '../problems.ts'
import { type EditForm, useEditForm } from './use-edit-form.ts'
import { useField } from './use-field.ts'

type Values = { version: number; name: string; email: string; phone: string; tags: string[] }
type Sending = { isPending: boolean; error: ApiError | null; reset: () => void }

const first: Values = { version: 1, name: 'Ada', email: 'ada@example.com', phone: '1', tags: ['a'] }
const idle: Sending = { isPending: false, error: null, reset: () => {} }
const refusal = (parameter: string) =>
  new ApiError({ status: 409, code: 'conflict', title: 'No', detail: 'Refused', parameter })

type Seen = { form: EditForm<Values> | undefined; whole: number; tags: number; sent: Values[] }
type Props = { seen: Seen; call: Sending; reload?: (() => Promise<Values>) | undefined; newest?: Values | undefined }

function Whole({ seen, call, reload, newest }: Props) {
  seen.whole += 1
  const form = useEditForm<Values>({
    values: newest ?? first,
    follows: newest !== undefined,
    call,
    reload,
    problemsOf: ({ name, email }) => (name || email ? {} : { name: 'Enter a name or an email' }),
    merge: (typed, before, now) => ({
      tags: [...now.tags, ...typed.tags.filter((tag) => !before.tags.includes(tag))],
    }),
  })
  seen.form = form
  return (
    <>
      <TextInput form={form} name="name" label="Name" />
      <TextInput form={form} name="email" label="Email" />
      <TextInput form={form} name="phone" label="Phone" />
      <Tags form={form} seen={seen} />
      <button type="button" onClick={() => form.submit((values) => seen.sent.push(values))}>
        Save
      </button>
    </>
  )
}

function Tags({ form, seen }: { form: EditForm<Values>; seen: Seen }) {
  seen.tags += 1
  const { value, onChange } = useField(form, 'tags')
  return <button type="button" onClick={() => onChange([...value, 'mine'])}>{`Tags ${value.join()}`}</button>
}

/** A form, what its hook answers, and how often its parts were rendered. */
function open(call: Sending = idle, reload?: () => Promise<Values>, newest?: Values) {
  const seen: Seen = { form: undefined, whole: 0, tags: 0, sent: [] }
  const tree = (now: Sending, at?: Values) => (
    <StrictMode>
      <Whole seen={seen} call={now} reload={reload} newest={at} />
    </StrictMode>
  )
  const { rerender, user } = renderPiece(tree(call, newest))
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
  return {
    seen,
    become: (now: Sending, at?: Values) => rerender(tree(now, at)),
    field,
    user,
    save: () => screen.getByText('Save'),
  }
}

test('what is wrong is told from the first press on, and another field can set it right', async () => {
  const { seen, field, save, user } = open()
  await user.clear(field('Name'))
  await user.clear(field('Email'))
  expect(screen.queryByRole('alert')).toBeNull()
  await user.click(save())
  expect((await screen.findByRole('alert')).textContent).toBe('Enter a name or an email')
  await user.type(field('Email'), 'a')
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  await user.click(save())
  expect(seen.sent).toEqual([{ ...first, name: '', email: 'a' }])
})

test('typing renders the field that is typed in, and once more the form when the field becomes another', async () => {
  const { seen, field, user } = open()
  const { whole, tags } = seen
  await user.type(field('Phone'), '2')
  const { whole: changed } = seen
  await user.type(field('Phone'), '3456789')
  expect(field('Phone').value).toBe('123456789')
  expect(seen.whole).toBe(changed)
  expect(changed - whole).toBeLessThanOrEqual(2)
  expect(seen.tags - tags).toBeLessThanOrEqual(2)
})

test('a refusal is told once: at its field, or above the form', () => {
  const { seen, become } = open()
  become({ ...idle, error: refusal('email') })
  expect(screen.getByRole('alert').textContent).toBe('Refused')
  expect(seen.form?.refusal).toBeNull()
  become({ ...idle, error: refusal('else') })
  expect(screen.queryByRole('alert')).toBeNull()
  expect(seen.form?.refusal?.message).toBe('Refused')
})

test('over a newer state, fields that were changed keep what was typed and the others follow it', async () => {
  const loaded = Promise.withResolvers<Values>()
  let resets = 0
  const reset = () => {
    resets += 1
  }
  const { seen, become, field, save, user } = open(idle, () => loaded.promise)
  await user.type(field('Name'), ' King')
  await user.click(screen.getByText(/^Tags/))
  become({ ...idle, error: refusal('version'), reset })
  expect(seen.form?.refusal).toBeNull()
  await user.click(save())
  act(() => seen.form?.conflict?.takeOver())
  expect(seen.form?.conflict?.isLoading).toBe(true)
  await user.click(save())
  await user.type(field('Phone'), '2')
  expect([seen.sent, resets]).toEqual([[], 0])
  const newer = { version: 2, name: 'Ada L.', email: 'new@example.com', phone: '9', tags: ['b'] }
  await act(async () => loaded.resolve(newer))
  await waitFor(() => expect(resets).toBe(1))
  become(idle)
  expect(screen.getByText('Tags b,mine')).toBeTruthy()
  await user.click(save())
  expect(seen.sent).toEqual([
    { version: 2, name: 'Ada King', email: 'new@example.com', phone: '12', tags: ['b', 'mine'] },
  ])
  expect(seen.form?.before).toEqual(newer)
})

test('a field that was changed stays so over one newer state after the other', async () => {
  let version = 1
  const { seen, become, field, user } = open(idle, async () => {
    version += 1
    return { ...first, version, name: `Name ${version}`, phone: `Phone ${version}` }
  })
  await user.type(field('Name'), ' King')
  for (const round of [2, 3]) {
    become({ ...idle, error: refusal('version') })
    act(() => seen.form?.conflict?.takeOver())
    await waitFor(() => expect(field('Phone').value).toBe(`Phone ${round}`))
    become(idle)
  }
  expect(field('Name').value).toBe('Ada King')
})

test('a form that follows takes a newer state below what was typed, and forgets it when told to', async () => {
  const { seen, become, field, save, user } = open(idle, undefined, first)
  await user.type(field('Name'), ' King')
  const newer = { ...first, version: 2, name: 'Ada L.', phone: '9' }
  become(idle, newer)
  await waitFor(() => expect(field('Phone').value).toBe('9'))
  expect(field('Name').value).toBe('Ada King')
  await user.click(save())
  expect(seen.sent).toEqual([{ ...newer, name: 'Ada King' }])
  expect(seen.form?.before).toEqual(newer)
  act(() => seen.form?.discard())
  expect(field('Name').value).toBe('Ada L.')
})
