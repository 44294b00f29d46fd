import { saveText } from '../../lib/download.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Icon } from '../../ui/Icon.tsx'
import css from './profile.module.css'

/** Shown once: the server keeps only what tells a right code from a wrong one. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n')
  return (
    <div className={css['codes']}>
      <p>
        If the phone is lost, each of these codes signs you in once. They are shown only now; keep them apart from the
        phone.
      </p>
      <div className={css['codeBox']}>
        <ul className={css['codeList']} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <CopyButton text={text} label="Copy all codes" />
      </div>
      <Button
        variant="outlined"
        startIcon={<Icon name="download" />}
        onClick={() => saveText('agency-console-recovery-codes.txt', `${text}\n`)}
      >
        Download
      </Button>
    </div>
  )
}
