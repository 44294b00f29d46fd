import { noRoute } from '../http/errors.ts'
import type { Call, Route } from '../http/route.ts'

const verified = ({ account, steering }: Call) =>
  Promise.resolve({ result: { id: account.tokenId, status: steering.tokenStatus } })

export const tokenRoutes: Route[] = [
  {
    name: 'user.tokens.verify',
    method: 'GET',
    path: '/user/tokens/verify',
    scope: null,
    tellsTokenStatus: true,
    answer: verified,
  },
  {
    name: 'accounts.tokens.verify',
    method: 'GET',
    path: '/accounts/:account/tokens/verify',
    scope: null,
    tellsTokenStatus: true,
    answer(call) {
      if (call.ids[0] !== call.account.id) throw noRoute(`/accounts/${call.ids[0]}`)
      return verified(call)
    },
  },
]
