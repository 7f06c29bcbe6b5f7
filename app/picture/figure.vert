VARYING vec4 tint;
void MAIN()
{
    vec3 normal = normalize(NORMAL_MATRIX * NORMAL);
    float light = ambient + (1.0 - ambient) * (0.75 * max(0.0, dot(normal, sun))
                                               + 0.25 * (0.5 + 0.5 * normal.z));
    tint = vec4(mix(COLOR.rgb * light, wash.rgb * (0.35 + 0.65 * light), wash.a), 1.0);
    POSITION = MODELVIEWPROJECTION_MATRIX * vec4(VERTEX, 1.0);
    POSITION.z += retreat * POSITION.w;
}
