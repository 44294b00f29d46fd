import * as customers from '@agency/contract/descriptors/customers'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aCustomer, aCustomerForm, customerDetails } from '../../../test/fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { AddCustomerDialog } from './AddCustomerDialog.tsx'
import { CustomersPage } from './CustomersPage.tsx'
import { EditCustomerDialog } from './EditCustomerDialog.tsx'

const route = '/admin/customers'
const nobody = () => ({ customers: [], has_more: false })
const ada = { id: 'cus_9', name: 'Ada Lovelace', email: 'ada@example.com', created_at: '2026-03-02T10:00:00Z' }

function openAdd(handlers: Parameters<typeof mockApi<typeof customers>>[1] = {}) {
  const api = mockApi(customers, {
    listCustomersByEmail: nobody,
    createCustomer: () => ({ customer: customerDetails({ id: 'cus_new' }) }),
    ...handlers,
  })
  const added: string[] = []
  const view = renderPage(<AddCustomerDialog onAdded={(id) => added.push(id)} onClose={() => {}} />, { route })
  const sent = () => api.calls().filter(({ name }) => name === 'createCustomer')
  return { ...view, added, sent }
}

const submit = (name: string) => screen.getByRole('button', { name })

test('sends what was entered, once for a double click, and opens the new customer', async () => {
  const { user, sent, added } = openAdd()
  await user.type(await screen.findByLabelText('Name'), ' Ada ')
  await user.type(screen.getByLabelText('Email'), 'ada@example.com')
  await user.selectOptions(screen.getByLabelText('Account type'), 'starter')
  await user.type(screen.getByLabelText('City'), 'Bangor')
  await user.type(screen.getByLabelText('Country code'), 'us')
  expect(screen.getByText('United States')).toBeTruthy()
  await user.click(submit('Add metadata'))
  await user.type(screen.getByLabelText('Key 1'), 'vip')
  await user.type(screen.getByLabelText('Value 1'), 'yes')
  await user.dblClick(submit('Add Customer'))
  await waitFor(() => expect(added).toEqual(['cus_new']))
  expect(sent().map(({ body }) => body)).toEqual([
    {
      name: 'Ada',
      email: 'ada@example.com',
      account_type: 'starter',
      address: { line1: null, line2: null, city: 'Bangor', state: null, postal_code: null, country: 'us' },
      metadata: { vip: 'yes' },
    },
  ])
})

test('says what is missing when the button is pressed, and sends nothing', async () => {
  const { user, sent } = openAdd()
  await screen.findByLabelText('Name')
  await user.click(submit('Add Customer'))
  expect(await screen.findByText('Enter a name or an email')).toBeTruthy()
  expect(sent()).toEqual([])
})

test('tells who has the email already, and saves all the same on the next press', async () => {
  const { user, sent, added } = openAdd({ listCustomersByEmail: () => ({ customers: [ada], has_more: false }) })
  await user.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await user.click(submit('Add Customer'))
  const notice = await screen.findByText(/This customer has this email already/)
  expect(within(notice.closest('[role=status]')!).getByRole('link', { name: 'Ada Lovelace' })).toBeTruthy()
  expect(sent()).toEqual([])
  await user.click(submit('Add anyway'))
  await waitFor(() => expect(added).toEqual(['cus_new']))
})

test('saves although nobody can tell who has the email', async () => {
  const { user, added } = openAdd({ listCustomersByEmail: () => problem(503, { code: 'unavailable' }) })
  await user.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await user.click(submit('Add Customer'))
  await waitFor(() => expect(added).toEqual(['cus_new']))
})

test('after a lost answer only the same can be sent again, under the same key', async () => {
  let answers = 0
  const { user, sent, added } = openAdd({
    createCustomer: () =>
      ++answers === 1
        ? problem(504, { code: 'outcome_unknown', detail: 'Not known yet. Trying again is safe.' })
        : { customer: customerDetails({ id: 'cus_new' }) },
  })
  await user.type(await screen.findByLabelText('Name'), 'Ada')
  await user.click(submit('Add Customer'))
  expect((await screen.findByText(/Trying again is safe/)).closest('[role=alert]')).toBeTruthy()
  expect((screen.getByLabelText('Name') as HTMLInputElement).disabled).toBe(true)
  await user.click(submit('Try again'))
  await waitFor(() => expect(added).toEqual(['cus_new']))
  const [first, second] = sent()
  expect(second?.body).toEqual(first?.body)
  expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'))
})

test('a refusal of Stripe stands at its field, and the next try is a new action', async () => {
  const { user, sent } = openAdd({
    createCustomer: () =>
      problem(422, { code: 'provider_invalid', detail: 'Stripe refused this: Invalid email', parameter: 'email' }),
  })
  await user.type(await screen.findByLabelText('Email'), 'ada@')
  await user.click(submit('Add Customer'))
  await waitFor(() => expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByText('Stripe refused this: Invalid email')).toBeTruthy()
  await user.click(submit('Add Customer'))
  await waitFor(() => expect(sent()).toHaveLength(2))
  const [first, second] = sent()
  expect(second?.headers.get('idempotency-key')).not.toBe(first?.headers.get('idempotency-key'))
})

function openEdit(handlers: Parameters<typeof mockApi<typeof customers>>[1] = {}) {
  const api = mockApi(customers, {
    listCustomersByEmail: nobody,
    getCustomerForm: () => ({ form: aCustomerForm() }),
    updateCustomer: () => ({ customer: customerDetails() }),
    ...handlers,
  })
  let closed = 0
  const view = renderPage(<EditCustomerDialog id="cus_1" onClose={() => closed++} />, { route })
  return { ...view, closed: () => closed, calls: (name: string) => api.calls().filter((call) => call.name === name) }
}

test('edits: sends what differs only, with the version that it was made to', async () => {
  const { user, calls, closed } = openEdit()
  const phone = await screen.findByLabelText('Phone')
  await user.clear(phone)
  await user.click(screen.getByRole('button', { name: 'Remove pair 1' }))
  await user.click(submit('Save'))
  await waitFor(() => expect(closed()).toBe(1))
  expect(calls('updateCustomer')[0]).toMatchObject({
    params: { id: 'cus_1' },
    body: { version: 'v1', phone: null, metadata: { note: null } },
  })
  expect(calls('listCustomersByEmail')).toEqual([])
})

test('edits: closes without a call when nothing differs', async () => {
  const { user, calls, closed } = openEdit()
  await screen.findByLabelText('Phone')
  await user.click(submit('Save'))
  await waitFor(() => expect(closed()).toBe(1))
  expect(calls('updateCustomer')).toEqual([])
})

test('edits: says that somebody changed it meanwhile, loads that and keeps what was typed', async () => {
  let version = 'v1'
  const { user, calls, closed } = openEdit({
    getCustomerForm: () => ({
      form: version === 'v1' ? aCustomerForm() : { ...aCustomerForm(), version, email: 'new@example.com' },
    }),
    updateCustomer: ({ body }) =>
      (body as { version: string }).version === 'v2'
        ? { customer: customerDetails() }
        : problem(409, {
            code: 'conflict',
            parameter: 'version',
            detail: 'Someone else changed this customer. Nothing was saved.',
          }),
  })
  const name = await screen.findByLabelText('Name')
  await user.clear(name)
  await user.type(name, 'Ada King')
  await user.click(submit('Save'))
  await screen.findByText(/Someone else changed this customer/)
  version = 'v2'
  await user.click(submit('Load current state'))
  await waitFor(() => expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe('new@example.com'))
  expect((screen.getByLabelText('Name') as HTMLInputElement).value).toBe('Ada King')
  expect(screen.queryByText(/Someone else changed this customer/)).toBeNull()
  await user.click(submit('Save'))
  await waitFor(() => expect(closed()).toBe(1))
  expect(calls('updateCustomer').at(-1)?.body).toEqual({ version: 'v2', name: 'Ada King' })
})

test('edits: says why the form could not be loaded', async () => {
  openEdit({
    getCustomerForm: () => problem(409, { code: 'conflict', detail: 'This customer was deleted at Stripe.' }),
  })
  expect(await screen.findByText('This customer was deleted at Stripe.')).toBeTruthy()
})

function openPage(rows = [aCustomer()], session = testSession()) {
  mockApi(customers, {
    listCustomers: () => ({ customers: rows, has_more: false, total: rows.length, as_of: '2026-11-21T11:00:00Z' }),
    getCustomer: () => ({ customer: customerDetails() }),
    getCustomerForm: () => ({ form: aCustomerForm() }),
    listCustomersByEmail: nobody,
  })
  return renderPage(<CustomersPage />, { route, session })
}

test('the screen opens both dialogs', async () => {
  const { user } = openPage()
  await user.click(await screen.findByRole('button', { name: 'Add Customer' }))
  const add = await screen.findByRole('dialog', { name: 'Add Customer' })
  await user.click(within(add).getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: /Actions for Ada Lovelace/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Edit Customer' }))
  expect(await screen.findByRole('dialog', { name: 'Edit Customer' })).toBeTruthy()
})

test('who may not change customers reads why', async () => {
  openPage([aCustomer()], testSession(['customers.read', 'billing.read']))
  const button = await screen.findByRole('button', { name: 'Add Customer' })
  expect(button).toHaveProperty('disabled', true)
  expect(button.getAttribute('aria-description')).toBe('Needs the permission customers.write')
})
