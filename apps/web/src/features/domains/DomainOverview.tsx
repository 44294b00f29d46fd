import * as customers from '@agency/contract/descriptors/customers'
import type { DomainDetails, DomainSetting } from '@agency/contract/types'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { Age } from '../../ui/Age.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { ProductionLink } from '../../ui/ProductionLink.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { nameServerWords, type SettingKind, settingText, typeText, unknownText } from './domain-words.ts'
import css from './domains.module.css'

export function DomainOverview({ domain }: { domain: DomainDetails }) {
  const denial = useDenial(customers.getCustomer)
  const { site, customer } = domain
  return (
    <Facts
      facts={[
        { label: 'Address', value: <ProductionLink address={domain.url} /> },
        { label: 'Type', value: typeText(domain.type) },
        { label: 'Site', value: site ? <a href={paths.site(site.id)}>{site.site_name}</a> : 'None' },
        { label: 'Customer', value: customer ? <Owner customer={customer} linked={denial === undefined} /> : 'None' },
        { label: 'SSL mode', value: <Setting kind="ssl" setting={domain.ssl} /> },
        { label: 'DNSSEC', value: <Setting kind="dnssec" setting={domain.dnssec} /> },
        { label: 'Name servers', value: <NameServers domain={domain} />, wide: true },
        { label: 'Created', value: <DateTime at={domain.created_on} show="date-time" none="–" /> },
        { label: 'Modified', value: <DateTime at={domain.modified_on} show="date-time" none="–" /> },
        { label: 'Account', value: domain.account?.name ? <bdi>{domain.account.name}</bdi> : null },
        { label: 'Updated', value: <Age at={domain.fetched_at} /> },
        { label: 'Zone ID', value: null, id: domain.id, wide: true },
      ]}
    />
  )
}

function Owner({ customer, linked }: { customer: NonNullable<DomainDetails['customer']>; linked: boolean }) {
  const name = <bdi>{customer.name ?? customer.id}</bdi>
  return linked ? <a href={paths.customer(customer.id)}>{name}</a> : name
}

/** The value with its age; why it is not known, or not newer, stands beside it. */
function Setting({ kind, setting }: { kind: SettingKind; setting: DomainSetting }) {
  const known = settingText(kind, setting)
  return (
    <>
      {known === null ? <span className={css['muted']}>{unknownText(setting)}</span> : known}{' '}
      {known === null ? null : <Age at={setting.checked_at} failed={setting.problem !== null} />}
      {setting.problem ? <p className={css['problem']}>{setting.problem}</p> : null}
    </>
  )
}

function NameServers({ domain }: { domain: DomainDetails }) {
  const { name_servers: wanted, original_name_servers: original } = domain
  const before = original.filter((server) => !wanted.includes(server))
  return (
    <div className={css['servers']}>
      <StatusChip {...nameServerWords[domain.name_server_state]} />
      {wanted.length > 0 ? (
        <p>
          <bdi>{wanted.join(', ')}</bdi>
        </p>
      ) : null}
      {before.length > 0 ? (
        <p className={css['muted']}>
          Before Cloudflare: <bdi>{before.join(', ')}</bdi>
        </p>
      ) : null}
    </div>
  )
}
