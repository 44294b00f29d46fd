import Check from '@mui/icons-material/Check'
import ContentCopy from '@mui/icons-material/ContentCopy'
import IconButton from '@mui/material/IconButton'
import { useEffect, useState } from 'react'

type Props = { text: string; label: string }

export function CopyButton({ text, label }: Props) {
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])

  const handleCopy = async () => setCopied(await copy(text))
  return (
    <IconButton
      size="small"
      aria-label={copied ? 'Copied' : label}
      title={copied ? 'Copied' : label}
      onClick={handleCopy}
    >
      {copied ? <Check sx={{ fontSize: 16 }} /> : <ContentCopy sx={{ fontSize: 16 }} />}
    </IconButton>
  )
}

// The clipboard API is missing on plain HTTP other than localhost.
async function copy(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  return done
}
