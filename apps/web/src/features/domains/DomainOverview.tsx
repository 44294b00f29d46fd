import * as customers from '@agency/contract/descriptors/customers'
import * as domains from '@agency/contract/descriptors/domains'
import * as zones from '@agency/contract/descriptors/zones'
import type { DomainDetails, DomainSetting } from '@agency/contract/types'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { Age } from '../../ui/Age.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { ProductionLink } from '../../ui/ProductionLink.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { nameServerWords, type SettingKind, settingText, typeText, unknownText } from './domain-words.ts'
import css from './domains.module.css'
import { NameServerList } from './NameServerList.tsx'

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
  const { name_servers: wanted, original_name_servers: original, name_server_state: state } = domain
  const before = original.filter((server) => !wanted.includes(server))
  return (
    <div className={css['servers']}>
      <StatusChip {...nameServerWords[state]} />
      {state === 'waiting' ? (
        <Waiting domain={domain} />
      ) : wanted.length > 0 ? (
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

/** What the registrar must be told, and a look whether that was done. */
function Waiting({ domain: { id, name_servers } }: { domain: DomainDetails }) {
  const check = useCall(zones.checkZone, [domains.getDomain, domains.listDomains])
  const answer = check.data
  return (
    <>
      <p>Enter these name servers at the registrar:</p>
      <NameServerList servers={name_servers} />
      <ReasonedButton
        size="small"
        variant="outlined"
        blocked={check.denial}
        loading={check.isPending}
        onClick={() => check.mutate({ params: { id } })}
      >
        Check now
      </ReasonedButton>
      {answer || check.error ? (
        <p role="status" className={css['muted']}>
          {check.error?.message ??
            answer?.refusal ??
            'Cloudflare is looking. The status changes here when it finds them.'}
        </p>
      ) : null}
    </>
  )
}
