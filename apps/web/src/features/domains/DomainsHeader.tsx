import type * as domains from '@agency/contract/descriptors/domains'
import type { ResponseOf } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { providerLink } from '../../lib/provider-link.ts'
import { Age } from '../../ui/Age.tsx'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'

const lifetimeMs = 10 * 60_000
const dashboard = 'https://dash.cloudflare.com'

type Props = {
  data: ResponseOf<typeof domains.listDomains> | undefined
  failed: boolean
  refreshing: boolean
  onRefresh: () => void
  /** Why no domain can be added, or undefined. */
  addDenial: string | undefined
  onAdd: () => void
}

export function DomainsHeader({ data, failed, refreshing, onRefresh, addDenial, onAdd }: Props) {
  return (
    <PageHeader
      title="Cloudflare Domains"
      summary={
        data ? (
          <>
            {formatCount(data.totalDomains)} {data.totalDomains === 1 ? 'domain' : 'domains'} ·{' '}
            {formatCount(data.activeDomains)} active · {formatCount(data.pausedDomains)} paused{' '}
            <Age at={data.fetched_at} lifetimeMs={lifetimeMs} failed={failed} />
          </>
        ) : (
          ''
        )
      }
      actions={
        <>
          <Button
            variant="outlined"
            href={providerLink(data?.dashboard_url) ?? dashboard}
            external
            endIcon={<Icon name="openInNew" />}
          >
            Cloudflare Dashboard
          </Button>
          <Button
            variant="outlined"
            startIcon={<Icon name="refresh" />}
            loading={refreshing || data?.refreshing ? 'Refreshing' : false}
            onClick={onRefresh}
          >
            Refresh
          </Button>
          <ReasonedButton variant="contained" aria-haspopup="dialog" blocked={addDenial} onClick={onAdd}>
            Add Domain
          </ReasonedButton>
        </>
      }
    />
  )
}
