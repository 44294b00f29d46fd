import { randomUUID } from 'node:crypto'
import type { Caller } from './request.ts'

type Parts = { root: Caller; newCustomer: () => Promise<string>; signedIn: () => Promise<Caller> }
type Sample = () => Promise<{ caller: Caller; path: string; body?: unknown }>

/** One call of everything that is written about a customer or done in one's name, ready to succeed. */
export function customerSamples(parts: () => Parts): Record<string, Sample> {
  // One of the call's own: somebody whom another call has deleted is neither looked at nor written about.
  const lookedAt = async () => ({ customer_id: await parts().newCustomer(), reason: 'Asked us to look' })
  const notes = async () => `/stripe/customers/${await parts().newCustomer()}/notes`
  const note = async () => {
    const path = await notes()
    return `${path}/${(await parts().root.post(path, { text: 'Hello' })).json().note.id}`
  }
  const started = (way: 'view' | 'portal'): Sample => {
    return async () => ({
      caller: await parts().signedIn(),
      path: `/admin/impersonations/${way}`,
      body: await lookedAt(),
    })
  }
  return {
    createCustomer: async () => ({ caller: parts().root, path: '/stripe/customers', body: { name: 'New customer' } }),
    updateCustomer: async () => {
      const path = `/stripe/customers/${await parts().newCustomer()}`
      const { version } = (await parts().root.get(`${path}/form`)).json().form
      return { caller: parts().root, path, body: { version, name: `Renamed ${randomUUID()}` } }
    },
    createCustomerNote: async () => ({ caller: parts().root, path: await notes(), body: { text: 'Hello' } }),
    updateCustomerNote: async () => ({ caller: parts().root, path: await note(), body: { text: 'Hello again' } }),
    deleteCustomerNote: async () => ({ caller: parts().root, path: await note() }),
    startView: started('view'),
    openPortal: started('portal'),
    endImpersonation: async () => {
      const caller = await parts().signedIn()
      const { impersonation } = (await caller.post('/admin/impersonations/view', await lookedAt())).json()
      return { caller, path: `/admin/impersonations/${impersonation.id}/end`, body: {} }
    },
  }
}
