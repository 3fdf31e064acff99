// Weights that the model has read: what is asked for is garbage until the model waits for it.
#define TARN_MOST_READS 32
struct tarn_reads {
  struct {
    uint32_t offset, bytes;
    unsigned char *to;
  } asked[TARN_MOST_READS];
  unsigned count;
};

static struct tarn_reads tarn_reads_asked;

@name@_status @name@_weights_wait(void) {
  struct tarn_reads *const reads = &tarn_reads_asked;
  unsigned i;
  uint32_t k;
  for (i = 0; i < reads->count; ++i) {
    for (k = 0; k < reads->asked[i].bytes; ++k) reads->asked[i].to[k] = tarn_image[reads->asked[i].offset + k];
  }
  reads->count = 0;
  return @NAME@_OK;
}

@name@_status @name@_weights_read(uint32_t offset, uint32_t bytes, void *destination) {
  struct tarn_reads *const reads = &tarn_reads_asked;
  uint32_t k;
  if (reads->count == TARN_MOST_READS || offset > @NAME@_IMAGE_BYTES || bytes > @NAME@_IMAGE_BYTES - offset)
    return @NAME@_ERROR_WEIGHTS;
  for (k = 0; k < bytes; ++k) ((unsigned char *)destination)[k] = (unsigned char)(0xa5u ^ (k * 7u));
  reads->asked[reads->count].offset = offset;
  reads->asked[reads->count].bytes = bytes;
  reads->asked[reads->count].to = (unsigned char *)destination;
  ++reads->count;
  return @NAME@_OK;
}

