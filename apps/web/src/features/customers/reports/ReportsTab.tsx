import { MailChoices } from './MailChoices.tsx'
import { UptimeReport } from './UptimeReport.tsx'

/** What a customer is told about their sites. */
export function ReportsTab({ customerId }: { customerId: string }) {
  return (
    <>
      <UptimeReport customerId={customerId} />
      <MailChoices customerId={customerId} />
    </>
  )
}
