import type { Program } from '../program.ts';
import { outputOption } from './outputOptions.ts';

/** Converters of documents, pictures and sound. */
export const media: readonly Program[] = [
  { names: 'pandoc dot neato cjpeg djpeg lame sox', writes: { options: outputOption } },
  {
    names: 'ffmpeg convert magick wkhtmltopdf wkhtmltoimage pdftk qpdf pdftotext ps2pdf rsvg-convert optipng',
    writes: { word: 'last' },
  },
];
