import type { Program } from '../program.ts';
import { outputOption } from './outputOptions.ts';

/** Converters of documents, pictures and sound. */
export const media: readonly Program[] = [
  { names: 'pandoc dot neato cjpeg djpeg lame sox rsvg-convert', writes: { options: outputOption } },
  { names: 'ffmpeg', writes: { word: 'last', overwrites: { when: /^-y$/ } } },
  {
    names: 'convert magick',
    writes: { word: 'last', unless: /^identify$/ },
  },
  { names: 'wkhtmltopdf wkhtmltoimage pdftk qpdf pdftotext ps2pdf', writes: { word: 'last' } },
  // It replaces a picture by a smaller one that looks the same.
  { names: 'optipng', writes: { word: 'last', overwrites: false } },
];
