// Plain JavaScript: the types of the web know nothing of Node.
import { ReadableStream, TextDecoderStream, TextEncoderStream, TransformStream } from 'node:stream/web'

// Every browser has them; the context that a test file runs in has only what jsdom brings.
Object.assign(globalThis, { ReadableStream, TextDecoderStream, TextEncoderStream, TransformStream })
