import type { Account as AccountAnswer } from 'cloudflare/resources/accounts/accounts'
import type { UserGetResponse } from 'cloudflare/resources/user/user'
import { noRoute } from '../http/errors.ts'
import { accountPages, infoOf, pageNames, readPage } from '../http/paging.ts'
import type { Account, Route } from '../http/route.ts'
import { hexId } from '../seed/ids.ts'

const showAccount = ({ id, name }: Account): AccountAnswer => ({
  ...{ id, name, type: 'standard', created_on: '2021-03-08T14:00:00.000000Z' },
  settings: { enforce_twofactor: false },
})

const showUser = ({ seed }: Account): UserGetResponse => ({
  ...{ id: hexId(seed, 'user'), email: 'owner@harborandpine.example', first_name: null, last_name: null },
  ...{ telephone: null, country: null, zipcode: null, suspended: false, two_factor_authentication_enabled: true },
})

/** The person and the account that a token belongs to; there is one of each. */
export const accountRoutes: Route[] = [
  {
    ...{ name: 'user.get', method: 'GET', path: '/user', scope: 'User Details:Read' },
    answer: async ({ account }) => ({ result: showUser(account) }),
  },
  {
    ...{ name: 'accounts.list', method: 'GET', path: '/accounts', scope: 'Account Settings:Read' },
    query: [...pageNames, 'name'],
    async answer({ account, query }) {
      const page = readPage(query, accountPages)
      const asked = query.get('name')
      const found = asked === null || asked === account.name ? [showAccount(account)] : []
      const result = found.slice(page.offset, page.offset + page.perPage)
      return { result, info: infoOf(page, result.length, found.length) }
    },
  },
  {
    ...{ name: 'accounts.get', method: 'GET', path: '/accounts/:account', scope: 'Account Settings:Read' },
    async answer({ account, ids: [id] }) {
      if (id !== account.id) throw noRoute(`/accounts/${id}`)
      return { result: showAccount(account) }
    },
  },
]
