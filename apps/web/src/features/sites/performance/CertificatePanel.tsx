import type { SiteCertificate } from '@agency/contract/types'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import css from './performance.module.css'

const soonDays = 14

export function CertificatePanel({ certificate }: { certificate: SiteCertificate | null }) {
  if (!certificate) {
    return (
      <Panel title="Certificate">
        <p className={css['muted']}>No certificate yet.</p>
      </Panel>
    )
  }
  return (
    <Panel title="Certificate" asOf={certificate.seen_at}>
      <Facts
        facts={[
          { label: 'State', value: <State certificate={certificate} /> },
          { label: 'Valid until', value: <DateTime at={certificate.valid_to} show="date-time" /> },
          { label: 'Issuer', value: <bdi>{certificate.issuer}</bdi> },
          { label: 'Valid from', value: <DateTime at={certificate.valid_from} show="date-time" /> },
          ...(certificate.problem ? [{ label: 'Problem', value: certificate.problem, wide: true }] : []),
          { label: 'Names', value: <Names names={certificate.names} />, wide: true },
        ]}
      />
    </Panel>
  )
}

function State({ certificate: { days_left, is_trusted } }: { certificate: SiteCertificate }) {
  if (days_left < 0) return <StatusChip tone="error" label="Expired" />
  if (!is_trusted) return <StatusChip tone="error" label="Not trusted" />
  const words = days_left === 1 ? '1 day left' : `${days_left} days left`
  return <StatusChip tone={days_left < soonDays ? 'warning' : 'success'} label={words} />
}

function Names({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <span className={css['muted']}>None</span>
  return <bdi>{names.join(', ')}</bdi>
}
