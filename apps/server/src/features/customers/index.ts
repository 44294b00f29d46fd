import { customers } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { findCountries } from './queries/countries.ts'
import { createCustomer } from './service/create-customer.ts'
import { getCustomer } from './service/get-customer.ts'
import { getCustomerForm } from './service/get-customer-form.ts'
import { getSaved } from './service/get-saved.ts'
import { listByEmail } from './service/list-by-email.ts'
import { listCustomers } from './service/list-customers.ts'
import { createNote, deleteNote, listNotes, updateNote } from './service/notes.ts'
import { updateCustomer } from './service/update-customer.ts'

export { customersExport } from './customers-export.ts'
export { forgetCustomer } from './queries/forget.ts'
export { searchCustomers } from './queries/search-customers.ts'
export { listCustomers } from './service/list-customers.ts'
export { customerHandlers } from './writing/settle.ts'

export const customerRoutes = routesOf(customers, {
  listCustomers: ({ ctx, query }) => listCustomers(ctx, query),
  getCustomer: async ({ ctx, params }) => ({ customer: await getCustomer(ctx, params.id) }),
  listCustomerCountries: async ({ ctx }) => ({ countries: await findCountries(ctx.pool) }),
  createCustomer: {
    handle: async ({ ctx, body, claim }) => ({ customer: await createCustomer(ctx, body, claim) }),
    replay: async ({ ctx, subject }) => ({ customer: await getSaved(ctx, subject) }),
  },
  getCustomerForm: async ({ ctx, params }) => ({ form: await getCustomerForm(ctx, params.id) }),
  updateCustomer: {
    handle: async ({ ctx, params, body, claim }) => ({ customer: await updateCustomer(ctx, params.id, body, claim) }),
    replay: async ({ ctx, subject }) => ({ customer: await getSaved(ctx, subject) }),
  },
  listCustomersByEmail: ({ ctx, query }) => listByEmail(ctx, query),
  listCustomerNotes: ({ ctx, params, query }) => listNotes(ctx, params.id, query),
  createCustomerNote: async ({ ctx, params, body }) => ({ note: await createNote(ctx, params.id, body.text) }),
  updateCustomerNote: async ({ ctx, params, body }) => ({
    note: await updateNote(ctx, params.id, params.note, body.text),
  }),
  deleteCustomerNote: ({ ctx, params }) => deleteNote(ctx, params.id, params.note),
})
