import { type Route, readRoute } from '../../http/route.ts'
import { accountId } from '../../world/ids.ts'
import type { Account } from '../types.ts'

const nothingDue = {
  alternatives: [],
  current_deadline: null,
  currently_due: [],
  disabled_reason: null,
  errors: [],
  eventually_due: [],
  past_due: [],
  pending_verification: [],
}

const account: Account = {
  id: accountId,
  object: 'account',
  business_profile: {
    annual_revenue: null,
    estimated_worker_count: 24,
    mcc: '7372',
    minority_owned_business_designation: null,
    name: 'Harbor & Pine',
    specified_commercial_transactions_act_url: null,
    product_description: 'Websites for small firms: design, hosting and care',
    support_address: {
      city: 'Portland',
      country: 'US',
      line1: '48 Commercial Street',
      line2: null,
      postal_code: '04101',
      state: 'ME',
    },
    support_email: 'care@harborandpine.example',
    support_phone: '+12075550148',
    support_url: 'https://harborandpine.example/support',
    url: 'https://harborandpine.example',
  },
  business_type: 'company',
  capabilities: { card_payments: 'active', transfers: 'active', sepa_debit_payments: 'active' },
  charges_enabled: true,
  controller: { type: 'account' },
  country: 'US',
  created: 1_661_990_400,
  default_currency: 'usd',
  details_submitted: true,
  email: 'owner@harborandpine.example',
  external_accounts: {
    object: 'list',
    data: [],
    has_more: false,
    url: `/v1/accounts/${accountId}/external_accounts`,
  },
  future_requirements: nothingDue,
  metadata: {},
  payouts_enabled: true,
  requirements: nothingDue,
  settings: {
    branding: { icon: null, logo: null, primary_color: '#1f4e5f', secondary_color: '#d8a25e' },
    card_payments: {
      decline_on: { avs_failure: true, cvc_failure: true },
      statement_descriptor_prefix: 'HARBORPINE',
      statement_descriptor_prefix_kana: null,
      statement_descriptor_prefix_kanji: null,
    },
    dashboard: { display_name: 'Harbor & Pine', timezone: 'America/New_York' },
    payments: {
      statement_descriptor: 'HARBOR AND PINE',
      statement_descriptor_kana: null,
      statement_descriptor_kanji: null,
      statement_descriptor_prefix_kana: null,
      statement_descriptor_prefix_kanji: null,
    },
  },
  type: 'standard',
}

const show = async () => ({ type: 'object' as const, kind: 'account' as const, body: { ...account } })

export const accounts: Route[] = [
  readRoute({ name: 'accounts.retrieveCurrent', path: '/v1/account', kind: 'account', shape: {} }, show),
  readRoute({ name: 'accounts.retrieve', path: `/v1/accounts/${accountId}`, kind: 'account', shape: {} }, show),
]
